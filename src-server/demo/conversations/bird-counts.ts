import type { Thread } from './thread.ts'

export const birdCounts: readonly Thread[] = [
  {
    in: ['bird-counts', 'roost count Sunday'],
    ends: '48m',
    unread: 2,
    script: String.raw`
@solveig: Count plan for Sunday. High water is late in the day this time, so the roost will be packed and the light \
will be bad.

* **North spit**: Maren and me
* **Holm side**: Amaru, Beatriz
* **Old quay**: Hanne

Radios on channel 8. Nobody counts alone after sunset.
^^ thumbs_up amaru beatriz hanne maren
@amaru 40: can we do the holm side from the car? my scope tripod lost a foot
@solveig 5: You can, but then you miss the back of the roost. Take mine, I use the hide’s.
^^ heart amaru
@beatriz 1d: Holm side: 612 curlew, 85 bar-tailed godwit, and a peregrine that made us start again. *Twice.*
^^ eagle solveig maren hanne
@maren 30: Two counts on the north spit, 2,140 and 1,980 dunlin. My guess is the flock that crossed to Holm at \
17:05, about 150 birds.
@amaru 12: yes! we had 160 arriving at 17:08. so they are in our number already
@solveig 9: Then we must not add them twice. Corrected sheet:

| species | north spit | Holm side | old quay | total |
|---|---:|---:|---:|---:|
| dunlin | 1,980 | 160 | 44 | **2,184** |
| curlew | 38 | 612 | 3 | **653** |
| knot | 1,240 | 0 | 0 | **1,240** |
| bar-tailed godwit | 12 | 85 | 0 | **97** |
| turnstone | 0 | 6 | 71 | **77** |
^^ clap maren beatriz amaru hanne
@lucian 3h: Entered. For comparison, last year’s figure on the same weekend was 1,906 dunlin.
@solveig 2h: @**Maren Aske** your sheet still says 2,140 dunlin, mine says 1,980. Split the difference? I would rather \
keep both counts in the record, with the crossing as a note.
@beatriz 6: Both counts, please. The spread **is** information.
^^ thumbs_up lucian
`,
  },
  {
    in: ['bird-counts', 'colour rings'],
    ends: '3h',
    unread: 1,
    script: String.raw`
@beatriz: Ring read at the old quay: lime over white on the left, metal on the right. The flag says either LW41K or \
LW41X, the bird would not stand still.
@solveig 18: LW41K. I ringed it in September, tide line below the hut, a young female with an opinion.
^^ joy beatriz amaru
@beatriz 4: Really? She has been to Mauritania and back since, then. :airplane:
^^ heart solveig maren yusuf
@solveig 25: I’ll send the record to the ringing centre. Please everybody write rings like this, it saves me evenings:
~~~
date  place  species  left-top  left-low  right-top  right-low  sure?
~~~
@yusuf 9: What do I put under “sure?” when I was very sure and then very wrong?
@solveig 2: “Yusuf”.
^^ joy beatriz amaru hanne maren lucian odhran
@aroha 7h: Different coast, same rings: one of the ring LW-series turned up here on a beach in June. Photo was too \
blurry for the code. Can I borrow your lime rings list before the weekend?
`,
  },
  {
    in: ['bird-counts', 'drone rules near roosts'],
    ends: '1d 13:45',
    script: String.raw`
@hanne: Somebody flew a drone over the spit at high water. The whole roost went up, three times in ten minutes.
^^ rage solveig beatriz maren
@solveig 6: That costs each of them about what they eat in an hour. Is there anything in our own rules?
@keiko 22: There is, from the permit:
> No flight within 300 m of a roost from two hours before to two hours after high water.
> Between April and July none at all.
@lucian 30: We fly ourselves, for the contours. We keep to it, but nobody outside knows that the rule exists.
@maren 12: Then a sign at the car park, with the times in words that a visitor understands. Not “HW ± 2 h”.
^^ thumbs_up solveig hanne lucian
@beatriz 2h: Draft for the sign:

> **They have flown from Siberia. Please don’t make them fly again.**
> Drones stay on the ground when the flats are covered.
^^ heart solveig maren hanne yusuf amaru
^^ clap lucian keiko
@keiko 40: Approved. Nils has a frame for it.
`,
  },
  {
    in: ['bird-counts', 'census forms'],
    ends: '2d 9:50',
    script: String.raw`
@lucian: The winter census has new forms. What changes: the start time is *required*, and “disturbance” is a list now.
@amaru 50: what counts as disturbance? everything disturbs a redshank
^^ joy solveig beatriz
@lucian 7: Walkers, dogs, boats, aircraft, raptors, *counters*.
@solveig 12: “Counters” is fair.
@maren 1h: Can the form be filled in without signal? On the spit there is none.
@lucian 5: Yes, it is a sheet of paper.
^^ joy amaru beatriz hanne solveig keiko
@lucian 3: Seriously: both. The paper one is four columns, the digital one keeps everything until you are back.
@hanne 2h: Printed thirty on waterproof paper, they are in the hide, left drawer.
^^ pray lucian solveig
`,
  },
  {
    in: ['bird-counts', 'ringing night rota'],
    ends: '5h',
    script: String.raw`
@solveig: Mist nets are possible from Wednesday if the wind stays under 4 m/s. Who can do nights?
@solveig: /poll Which ringing night can you do?
Wednesday 20:00 to 01:00
Thursday 20:00 to 01:00
Friday, all night
None, I have a bed
^^ vote beatriz 0
^^ vote beatriz 2
^^ vote amaru 0
^^ vote hanne 1
^^ vote yusuf 3
^^ vote solveig 0
^^ vote lucian 3
@beatriz 35: I bring soup. And head torches with **red** light this time.
^^ stew amaru solveig hanne
@odhran 20: I’ll run you over to the spit and back, just be at the slip on time. Last crossing is <time:wed 19:15>.
@yusuf 9: For the record, I did vote honestly.
@amaru 1h: new volunteer asks if she can watch. she has never held a bird
@solveig 6: Very welcome. Watching first, writing second, holding third. Nobody starts with holding.
^^ thumbs_up amaru beatriz
`,
  },
  {
    in: ['bird-counts', '✔ telescope eyepiece'],
    ends: '6d 17:05',
    script: String.raw`
@amaru: the 30x eyepiece of the big scope has fungus. little spider web, lower left
@solveig 25: Keep it away from the other one! Separate box, and silica.
@tomasz 50: I can open it. Lens fluid, patience, no tissue from the kitchen.
@amaru 2d: tomasz opened it and it’s perfect again
^^ tada solveig beatriz hanne maren
@tomasz 14: There was also a very small crab leg in there. I have questions.
^^ crab amaru solveig yusuf odhran
^^ joy maren hanne
`,
  },
]
