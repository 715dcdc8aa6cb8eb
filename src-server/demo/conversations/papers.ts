import type { Thread } from './thread.ts'

export const papers: readonly Thread[] = [
  {
    in: ['papers', 'funding report'],
    ends: '4h',
    unread: 1,
    script: String.raw`
@maren: Skeleton of the report. Half a page each, no more; they count.

1. What we measured (Keiko)
2. What broke and what it taught us (Tomasz)
3. Birds (Solveig)
4. Data, who uses it (Priya, Lucian)
5. What three more years are for (Keiko, me)
^^ thumbs_up keiko tomasz solveig priya lucian
@tomasz 25: Mine writes itself. It may even need a second page.
@solveig 2h: Mine is in. 11 counts, 4 people new, one paragraph on why the winter numbers are *not* a trend yet.
@keiko 1d: Please put numbers where you have them:

| year | gauges | data complete | counts | volunteers |
|---|---:|---:|---:|---:|
| first | 4 | 81 % | 6 | 9 |
| second | 6 | 88 % | 9 | 14 |
| third | 8 | 94 % | 11 | 23 |
^^ chart_with_upwards_trend maren lucian
@lucian 3h: 94 percent if we count gauge 4 as *late*, not as lost. I would say so in a footnote.
@keiko 6: Honest and short. Do that.
@priya 5h: Data section is in: 41 users outside of us, of whom two are harbours and one is a school in Holm. The school \
asks the best questions.
^^ heart maren keiko solveig aroha
@keiko 18: @**Maren Aske** can you read section 5 once more tonight? One sentence promises more than we can keep.
`,
  },
  {
    in: ['papers', 'surge paper'],
    ends: '1d 12:35',
    script: String.raw`
@keiko: Reviews of the surge paper are back. One is kind, the other is thorough. I prefer the second, in hindsight.
@lucian 30: “The authors assume linear friction.” We do. Because it’s 2 m deep and the alternative does not fit on a page.
@aroha 8h: Show them the size of it. Quadratic drag, linearised over one period of amplitude $$U$$:
~~~math
\tau = \rho C_D\, |u| u
\;\approx\;
\rho C_D\, \frac{8}{3\pi}\, U u
\quad\text{for}\quad u = U \cos \omega t
~~~
The factor comes from projecting on the first harmonic:
~~~math
\frac{\displaystyle\int_0^{2\pi} |\cos\theta| \cos^2\theta \, d\theta}{\displaystyle\int_0^{2\pi} \cos^2\theta \, d\theta}
= \frac{8/3}{\pi} = \frac{8}{3\pi} \approx 0.85
~~~
What you drop is the third harmonic, one fifth of it: and *that* you can see in the spectrum, or not.
^^ brain lucian maren priya
^^ clap keiko
@lucian 4h: I looked. The third harmonic is 2 mm at Ness. Below the noise.
^^ tada keiko aroha
@keiko 10: Then that’s our answer, with your figure and a thank you to reviewer 2. We mean it, too.
`,
  },
  {
    in: ['papers', 'figure 3'],
    ends: '3d 17:00',
    script: String.raw`
@lucian: Figure 3 now has a legend, units and only two colours.
@solveig 15: Those two colours are the same one if you’re colour-blind. I am, a bit.
@lucian 5: I’m sorry! One moment.
@lucian 22: Blue and orange, solid and dashed.
^^ edited 4: Blue and orange
@solveig 3: Now I see for the first time what the paper is about. :sparkles:
^^ joy lucian keiko maren priya
`,
  },
]
