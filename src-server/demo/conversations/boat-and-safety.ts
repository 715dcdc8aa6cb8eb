import type { Thread } from './thread.ts'

export const boatAndSafety: readonly Thread[] = [
  {
    in: ['boat-and-safety', 'Thursday launch'],
    ends: '2h',
    unread: 2,
    script: String.raw`
@odhran: Launch on Thursday for gauge 5 and the far quadrats. The wind decides, not me, and not the calendar.
@odhran 4: /poll When do we launch?
Thursday 06:30
Thursday 11:40
Friday, with the morning tide
^^ vote hanne 1
^^ vote maren 1
^^ vote yusuf 1
^^ vote ines 0
^^ vote tomasz 2
@hanne 30: 11:40. At 06:30 there is no water at the slip, unless somebody carries the boat.
@yusuf 6: I vote against carrying the boat. Formally.
^^ joy hanne maren tomasz
@odhran 1h: 11:40 it is, if it holds. Who is on board:

- Odhran, helm
- Hanne
- Maren
- one more who can row, *actually* row
@ines 20: I can row. I rowed at school. I have a medal.
^^ sports_medal hanne maren yusuf
@odhran 1h: A medal! You’re hired.
@odhran: /me paints “Ines” on the second oar
^^ joy ines hanne maren
@weather 6h: **Ness, next 24 h**: wind S 5 m/s backing E 8 m/s after noon, swell 0.6 m, visibility good. Sea 7 °C.
@odhran 30: Wind backs to the east after noon, so we go at <time:thu 11:40> or not at all. @**channel** be at the slip \
twenty minutes before, dressed. I don’t wait for zips.
^^ thumbs_up hanne ines
@hanne 8: Flares were due last month, by the way. Nils ordered new ones, I’ll collect them at the harbour tomorrow.
`,
  },
  {
    in: ['boat-and-safety', 'radio batteries'],
    ends: '1d 8:20',
    script: String.raw`
@yusuf: Radio 3 dies after forty minutes. Either the battery is old or I talk too much.
@odhran 10: Both, but the battery is from 2017.
^^ joy hanne maren nils
@nils 25: Two new ones are in the stores. Put the old ones in the red box, **not** in the bin. They swell.
@maren 14: While we’re at it: who charges what?
@maren 2: /todo Charging, every evening
Radios 1 to 4: on the shelf by the door
Head torches: the red ones too
Satellite messenger: only with its own cable
Boat battery: trickle charger, Fridays
^^ done yusuf 0
^^ done nils 1
@hanne 2h: Satellite messenger has the cable taped to it now. It went missing three times.
@odhran 30: Four times. Once it was me.
`,
  },
  {
    in: ['boat-and-safety', 'life jacket service'],
    ends: '2d 12:00',
    script: String.raw`
@hanne: Serviced all eleven jackets. Two failed: number 4 leaks at the seam, number 9 has a rusty cylinder.
@keiko 40: Take both out of use today, please. Cut the belts so that nobody is tempted.
@hanne 5: Cut.
@nils 30: Then we have nine, and Thursday needs five. Two new ones come with the Monday ferry.
@hanne 9: The records, since the insurance asks:

| number | serial | result | next service |
|---:|---|---|---|
| 1 to 3 | in the book | good | in a year |
| 4 | LJ-2204 | **failed**, seam | - |
| 5 to 8 | in the book | good | in a year |
| 9 | LJ-2209 | **failed**, cylinder | - |
| 10, 11 | in the book | good, new lights | in a year |
^^ pray keiko odhran maren
@odhran 1h: Nobody goes on the water without one that clicks. That includes me on flat days. I say it once a year.
^^ 100 hanne maren yusuf
`,
  },
  {
    in: ['boat-and-safety', 'fog on the way back'],
    ends: '4d 18:30',
    script: String.raw`
@odhran: What happened today, so that we learn from it. Out at noon in sunshine, fog at 13:20, less than 50 m. We \
stopped, anchored, called channel 8, waited for an hour and went home on the compass and the sounder.

What went right: everyone dressed, radio watch, nobody argued.
What went wrong: the plotter had yesterday’s track in it and I **nearly** followed it over the bar.
^^ pray maren hanne keiko nils
^^ heart yusuf ines
@keiko 30: Thank you for writing it down the same day.
@hanne 12: I was on radio watch ashore. What helped: you said when you would call again, each time.
@maren 25: Let’s make that a rule: every call ends with the time of the next one. And clear the old tracks after each \
trip?
@odhran 6: Done, and taped a note on the plotter: *Whose track is this?*
^^ thumbs_up maren hanne keiko yusuf tomasz
@yusuf 1h: I bought a proper foghorn. The neighbours will learn to love it.
^^ joy nils hanne odhran
`,
  },
]
