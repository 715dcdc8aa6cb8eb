import type { Thread } from './thread.ts'

export const northFlats: readonly Thread[] = [
  {
    in: ['north-flats', 'quadrats 12 to 18'],
    ends: '31m',
    unread: 3,
    script: String.raw`
@hanne: Plan for the flats: 12 to 18 in one tide if we are four. 40 minutes each, so we start at the far end and walk \
home with the water behind us.
@beatriz 12: I am in. Who brings the frame? Ours has a corner that opens by itself.
@hanne 5: Cable tie. Everything is a cable tie.
^^ joy amaru ines
@amaru 50: gps of the corners for whoever is new: they are in the field map, layer “quadrats”, not in the old file. the \
old file has 15 in the channel. literally in the water
^^ eyes hanne mika
@mika 18: That would be me. Do I need waders, or are boots enough?
@hanne 3: Boots to 16. Waders for 17 and 18, and never alone there. It is soft.
@maren 2h: First three sheets are in. 12 is odd, look at the mud snails:

| quadrat | lugworm casts | mud snails | cockles > 10 mm | redox (mV) |
|---:|---:|---:|---:|---:|
| 12 | 31 | 1,480 | 4 | −62 |
| 13 | 28 | 610 | 7 | −40 |
| 14 | 35 | 590 | 6 | −45 |
^^ thinking hanne ines beatriz
@ines 15: 1,480 in a quarter of a square metre is not impossible, but was it counted or multiplied?
@maren 8: Multiplied, from a sixteenth. I’ll do it again properly.
@beatriz 40: 14 and 15 are under water until at least <time:+2h>, starting from the far end.
@hanne 7: @**Maren Aske** bring the small sieve when you do 12 again. The 0.5 mm one, blue handle.
@amaru 5: also there’s a seal on 16. it won’t move. we’ll do 16 last
^^ seal hanne mika solveig
^^ heart maren beatriz
`,
  },
  {
    in: ['north-flats', 'ghost nets'],
    ends: '1h',
    unread: 1,
    script: String.raw`
@amaru: found a net by the second groyne, maybe 30 m, half buried. gillnet, monofilament. two dead crabs, one alive \
and now free
^^ pray hanne solveig beatriz
@odhran 25: Don’t pull at it alone. There may be an anchor on the end of it, and the groyne is slippery as sin.
@maren 11: Position and a photo are enough for today, please. We take it out together.
@amaru 9: 64.2716 N, 10.3341 E, marked with a red float
@hanne 2h: Last year’s nets for comparison: 11 found, 9 out, about 140 kg. The harbour takes them for recycling if \
they are rinsed.
@odhran 1d: Lifted this morning with the winch. 41 m, one anchor, one very cross lobster.
^^ lobster amaru yusuf beatriz
^^ muscle maren hanne solveig
@beatriz 12: Where did the lobster go?
@odhran 4: Home. Under the groyne, with my apologies.
^^ heart beatriz solveig amaru hanne
@amaru 5h: two more by the groyne. photos when i have signal
`,
  },
  {
    in: ['north-flats', 'core labels'],
    ends: '4h',
    script: String.raw`
@ines: Please, all of you, one format for core labels. In the fridge I have \`12a\`, \`N12-a\`, \`N-12 A\` and one that \
only says “sorry”.
^^ joy amaru hanne beatriz maren
@hanne 6: The “sorry” one is mine. It rained.
@ines 10: Proposal: station letter, number, dash, small letter for the core, date on the *lid*:

1. \`N12-a\` to \`N12-c\`: cores of one quadrat
2. \`N12-a/0-5\`: the slice, in centimetres from the top
3. Pencil. Never ink. Ink is a rumour after one tide.
^^ thumbs_up hanne amaru beatriz maren mika
@priya 40: As a bonus, this parses:
~~~python
import re

LABEL = re.compile(r"(?P<area>[NSW])(?P<quadrat>\d{1,2})-(?P<core>[a-c])(/(?P<top>\d+)-(?P<bottom>\d+))?$")

def parse(label: str) -> dict[str, str]:
    match = LABEL.fullmatch(label.strip())
    if match is None:
        raise ValueError(f"not a core label: {label!r}")
    return match.groupdict()
~~~
^^ heart ines
@ines 5: \`parse("sorry")\` raises, I hope.
@priya 1: It does.
^^ joy hanne ines maren
@maren 3h: Sediment cores from 12 and 13 are labelled the new way. I’ll do the rest with the next tide.
`,
  },
  {
    in: ['north-flats', 'lugworm counts'],
    ends: '1d 11:30',
    script: String.raw`
@beatriz: Is it normal that the casts are twice as many after rain? 13 had 28 on Monday and 55 today.
@hanne 14: They come up more when the surface is fresh. Or Monday’s had been washed flat. Time since the tide left?
@beatriz 5: Monday 40 minutes. Today almost two hours.
@hanne 3: There you are. Count between 60 and 120 minutes, or note the time and we correct.
@ines 35: We have the correction, from the summer: casts grow like $$c(t) = c_\infty (1 - e^{-t/\tau})$$ with \
$$\tau \approx 48$$ minutes. After 40 minutes you see 57 percent, after 120 you see 92.
@beatriz 6: So 28 / 0.57 is 49, and 55 / 0.92 is 60. Still more, but not double. Thank you!!
^^ brain hanne maren
^^ tada ines amaru
@amaru 1h: i love that there’s a half life for worm poop
^^ joy beatriz hanne ines yusuf maren
`,
  },
  {
    in: ['north-flats', 'soft ground at 17'],
    ends: '2d 16:15',
    script: String.raw`
@hanne: **Soft ground.** Between 17 and the channel it is knee deep since the storm, over a strip of about 15 m. Go \
round by the withies.
^^ warning maren amaru odhran beatriz mika
@odhran 12: Anybody who does go in: lie back, don’t pull, shout. Boards are on the sledge.
@mika 20: How do I recognise it before I stand in it?
@hanne 8: It shines, and nothing lives on it. No casts, no snails. If the worms don’t trust it, you don’t either.
^^ thumbs_up mika beatriz amaru
@maren 15: That goes into the introduction for new people, word for word. Added in #**new-arrivals**.
@lucian 2h: And on the map, hatched, layer “hazards”. It updates itself for those who have offline tiles.
^^ pray hanne odhran
`,
  },
]
