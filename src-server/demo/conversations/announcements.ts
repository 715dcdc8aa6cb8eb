import type { Thread } from './thread.ts'

export const announcements: readonly Thread[] = [
  {
    in: ['announcements', 'field days'],
    ends: '1d 15:00',
    unread: 1,
    script: String.raw`
@keiko: # Field day 11
Saturday, all hands, at the slip <time:sat 08:30>.

1. North flats: quadrats 12 to 18, Hanne leads
2. Roost count rehearsal for new counters, Solveig leads
3. Hut: roof felt and firewood, Nils leads

Lunch at the hut. Bring dry socks and one friend who asks good questions.
^^ tada maren hanne solveig nils beatriz amaru yusuf
^^ socks yusuf ines
@keiko 7d: Field day 11 in numbers: **19** people, **7** quadrats, **2** new counters who stay, one lost boot (found, \
wrong foot). Thank you!
^^ heart maren hanne solveig nils beatriz amaru yusuf mika ines
^^ boot amaru
@odhran 5d: Gauge 4 is out of service until further notice. Please don’t use its feed for the daily summary. Details \
are in #**tide-gauges>gauge 4 offset drift**.
^^ thumbs_up priya lucian keiko
@keiko 3h: # Field day 12
In two weeks, same place. @**all** please tell Hanne until Friday whether you come, she has to order the bus. If you \
can drive a van with a trailer, tell her *twice*.
^^ raising_hand beatriz solveig nils
^^ oncoming_automobile yusuf
`,
  },
  {
    in: ['announcements', 'funding'],
    ends: '3d 14:10',
    script: String.raw`
@keiko: The coast fund said **yes**: three more years for all eight gauges, and half a position for the counts.
^^ tada maren tomasz odhran ines hanne priya amaru beatriz lucian solveig yusuf aroha nils ravi mika
^^ tears_of_joy yusuf solveig
@tomasz 15: The word “half” does a lot of work there, but: congratulations to all of us!
@keiko 2d: What they want from us in return, in writing:

| what | when | who |
|---|---|---|
| Report for this year, 12 pages | end of next month | Keiko, Maren |
| Data of all gauges, open licence | with the report | Priya, Lucian |
| One talk that children understand | before summer | ~~Keiko~~ Yusuf |
^^ joy maren beatriz odhran
@maren 35: The skeleton of the report is in #**papers>funding report**. Everybody has one heading with their name on it.
`,
  },
  {
    in: ['announcements', 'welcome'],
    ends: '02-12 9:00',
    script: String.raw`
@keiko: Welcome to the Skerry Coast Survey. This channel is for news that everybody should see, and only coordinators \
write here. Ask anything in #**new-arrivals**; no question is too small.
^^ wave maren odhran tomasz beatriz
^^ starred
@maren 1d: Three habits that make life easier here:

* One topic per matter. When it is done, mark it as resolved :check:
* Times with their zone: type \`<time\` and pick one, everybody sees their own
* If it is urgent, **call**. Channel 8, or the number on the door
@odhran 2h: And a fourth: if you see me in the pub, I have not read it yet.
^^ joy maren yusuf hanne tomasz
`,
  },
]
