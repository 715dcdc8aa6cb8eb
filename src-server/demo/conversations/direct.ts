import type { Thread } from './thread.ts'

export const direct: readonly Thread[] = [
  {
    in: { people: 'maren keiko' },
    ends: '18m',
    unread: 2,
    script: String.raw`
@keiko: Are you at the desk? I need two eyes for the sentence in section 5.
@maren 15: On the ferry until five, but I can read. Which one?
@keiko 4:
> We will deliver the levels of all eight gauges within one minute, at all times.
@maren 3: “At all times” is brave. Say “within one minute, with 95 percent complete over the year”. That we have.
@keiko 6: Good. I was afraid you would find it too small.
@maren 2: It is the truth, and the truth is 95 percent.
^^ heart keiko
@keiko 1d: They liked it, by the way. The reviewer wrote “refreshing”.
^^ tada maren
@maren 30: :partying_face:
@keiko 5h: Different matter. Odhran looks tired. Could you take the launch list off him for two weeks, without making it \
a topic?
@keiko 5: I’d do it, but from me it sounds like an order.
`,
  },
  {
    in: { people: 'maren ines tomasz' },
    ends: '66m',
    unread: 1,
    script: String.raw`
@tomasz: Who drives on Saturday? I can, but I’d rather navigate.
@ines 5: /poll Saturday van
Ines drives
Maren drives
Take the ferry instead
^^ vote maren 0
^^ vote tomasz 0
^^ vote ines 2
@ines 12: Ha. Fine, I drive, you both shop.
@tomasz 1: And no ferry in that wind.
@maren 3h: Can one of you put the shopping in a message so I find it without signal?
@tomasz 8: # Saturday shopping
For the hut, before the van leaves at <time:sat 12:30>.

| What | Where | How much |
|---|---|---|
| Oats | Ness stores | 2 kg |
| Lamp oil | Harbour | 5 l |
| The good coffee | Harbour | 4 bags |

Same list as in #**kitchen>shopping for Saturday**, so @_**Ines Duarte** has it offline too.
^^ thumbs_up maren ines
@ines 1h: Van is booked for 12:30, back before dark.
`,
  },
  {
    in: { people: 'maren odhran' },
    ends: '4h',
    script: String.raw`
@odhran: Ferry times changed, they only told the fish. Last one back is <time:+9h> now.
@maren 10: An hour earlier? Then the far quadrats won’t work in one day.
@odhran 4: Unless you sleep at the hut. Stove’s mended.
@maren 6: I hear the matches lean in.
^^ joy odhran
@odhran 2h: If the wind does back early I’ll ring you at ten, either way. If you hear nothing, *that* is bad news too.
@maren 9: Call ends with the time of the next one. I learned from the best.
@odhran 3: :saluting_face:
`,
  },
  {
    in: { people: 'maren solveig' },
    ends: '1d 20:10',
    script: String.raw`
@solveig: The young counter, Mika: very good eyes. Counted 212 turnstones on the quay where I had 209.
@maren 14: And who was right?
@solveig 2: I went back and counted a third time. 212.
^^ joy maren
@maren 5: Keep that one.
@solveig 1d: Have you seen the sky? Go out. *Now.*
@maren 6: Oh.
@maren 4: Thank you for that. I stood in the road in my socks.
^^ sparkles solveig
^^ socks solveig
`,
  },
  {
    in: { people: 'maren priya lucian' },
    ends: '9h',
    script: String.raw`
@priya: Before tomorrow’s call: which of the three do we promise for this season?

1. open data page with all eight gauges
2. alerts when a gauge drifts
3. model forecast for the school in Holm
@lucian 20: 1 is nearly done. 3 is half a day. 2 is the one that we need ourselves, and the hardest.
@maren 12: 1 and 3 now. For 2 a small version: tell *us*, not the world, if residual and neighbours disagree for six hours.
@priya 5: I can do that with what we have:
~~~python
bad = (resid - neighbours.median(axis=1)).abs().rolling("6h").min() > 0.04
~~~
@lucian 4: \`min\` of the window, so it must be bad for the *whole* six hours. Nice.
@maren 30: Would it have caught gauge 4?
@priya 18: Yes. On the first night, nine hours before Tomasz saw it.
^^ exploding_head maren lucian
`,
  },
  {
    in: { people: 'maren yusuf' },
    ends: '2d 17:45',
    script: String.raw`
@yusuf: I have to give the talk for children. I said yes before I understood the sentence.
@maren 8: You’ll be wonderful. Bring the foghorn.
@yusuf 4: Twenty minutes on “why the sea goes up and down”. My title: **The moon is pulling your bath**.
^^ joy maren
@maren 6: Do the thing with the orange and the wet sponge, that you did at the hut.
@yusuf 3: The thing where Beatriz got wet?
@maren 1: The children will ask for that part again.
`,
  },
  {
    in: { people: 'maren amaru beatriz' },
    ends: '1d 9:15',
    script: String.raw`
@beatriz: Surprise for Solveig’s 100th count! Next Sunday. Cake shaped like a knot?
^^ cake amaru maren
@amaru 20: a knot the bird or a knot the knot
@beatriz 2: …I had not thought about that. BOTH
^^ joy amaru maren
@maren 30: I’ll keep her at the hide until four. She must not see the car.
@amaru 9: i’ll say my scope is broken. again
`,
  },
  {
    in: { people: 'maren hanne' },
    ends: '3d 6:50',
    script: String.raw`
@hanne: Small sieve is in your locker. Don’t ask why it smells.
@maren 25: Why does it smell?
@hanne 1: I said.
^^ joy maren
`,
  },
  {
    in: { people: 'maren tidebot' },
    ends: '7h',
    script: String.raw`
@maren: next low water ness
@tidebot: Low water at **Ness**: <time:+5h>, 0.41 m above chart datum. The one after that is <time:+17h>.
@maren 1h: remind gauge 4
@tidebot: I can only do tides. For reminders of the rota, ask **Rota helper**.
`,
  },
  {
    in: { people: 'maren' },
    ends: '2d 8:30',
    script: String.raw`
@maren: Notes to myself, field day 12:

- bus: ask Hanne *before* Friday
- sledge: two boards, not one
- new people: soft ground talk **first**, then boots
^^ starred
@maren 1d: Title for section 5: “What three more years are for”. Not “Outlook”.
`,
  },
]
