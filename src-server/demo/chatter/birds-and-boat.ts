import type { Subject } from './subject.ts'

export const birdsAndBoat: readonly Subject[] = [
  {
    channel: 'bird-counts',
    topics: [
      'roost at the {place}',
      'count of week {w=2..51}',
      '{bird} on the {place}',
      '✔ monthly count, sector {t=1..9}',
      'high water count, {day}',
    ],
    talks: String.raw`
@a: {place} roost: {n=180..2400} dunlin, {20..400} knot, {2..60} {bird}. Light was good until the last quarter of an hour.
@b {10..90}: I had {170..2300} dunlin from the other side, an hour earlier. Some must have come over with the tide.
@a {5..40}: I’ll report {n} and note yours.
====
@a: A {bird} with a limp again at the {place}. Same bird as last week, I think, it favours the left leg.
@b {15..120}: It feeds well, though. I watched it pull {3..9} worms in ten minutes.
^^ heart a
====
@a: Everything went up at {10..16}:{10..59}, no raptor that I could see. Came back after {4..12} minutes.
@b {10..80}: Dog at the {place}, off the lead. I talked to the owner, she was nice about it.
@a {3..30}: Thank you for being the one who talks.
====
@a: How do you count a flock that turns all the time?
@b {5..60}: Count ten, see how big ten is, then count tens. When they turn, wait. They always show the other side.
@c {10..60}: And say the number aloud *before* you look at your neighbour’s sheet.
^^ 100 a b
====
@a: Fog, nothing seen beyond the second post. I counted what I heard: {2..9} curlew and one very lonely {bird}.
@b {10..100}: Sheets with fog are sheets too. Write “heard” in the last field.
====
@a: Sector sheet:

| species | adults | young | unsure |
|---|---:|---:|---:|
| dunlin | {100..900} | {40..300} | {0..60} |
| {bird} | {5..90} | {2..30} | {0..9} |
| oystercatcher | {60..300} | {5..40} | {0..12} |
@b {15..110}: Good share of young birds this time.
@c {10..60}: Or the adults are still at the {place}. I’d not write “good year” before the third count.
====
@a: Who’s counting on {day}? The tide is kind for once.
@b {8..90}: I can do the {place}.
@c {5..60}: Then I take the hide, and the flask.
^^ thumbs_up a b
====
@a: {bird} numbers at the {place} over the last counts: {40..90}, {40..90}, {91..160}, {161..240}. Something good is growing in that mud.
@b {20..200}: The flats people say young cockles. It fits.
`,
  },
  {
    channel: 'bird-counts',
    topics: [
      'ring readings, {place}',
      'rings {colour} over {colour2}',
      '✔ {bird} with a flag',
      'reading list {t=3..40}',
    ],
    talks: String.raw`
@a: Ring read on a {bird}: {colour} over {colour2} on the left, metal right. Twice, through the scope, at {30..90} m.
@b {20..200}: Ringed at the {place} in {2018..2024}. Old friend.
^^ heart a
====
@a: Is that a {colour} that has faded or a new colour?
@b {10..90}: Faded. Sun and salt turn them pale after {4..8} winters. Look at the edge, it stays dark there.
@a {5..40}: Then it’s the one from the first list. Thanks!
====
@a: {3..14} rings in an afternoon, {2..3} of them ours. The others go to three different countries.
@b {15..150}: I love that part. Send me the list, I’ll write to them.
====
@a: Photo is too soft to read, but it has a flag on the upper leg and {colour} below.
@b {10..120}: Then it can only be one of {4..9} birds. Not bad for a bad photo.
====
@a: I misread one last week: {colour} over {colour2}, not the other way round. Can it still be changed?
@b {5..70}: Changed. Better a correction than a bird that flew to the wrong country.
^^ joy a c
`,
  },
  {
    channel: 'bird-counts',
    topics: [
      'hide, {day}',
      'scopes and tripods',
      'who has the {gear}',
      '✔ hide roof',
      'new counters, group {t=2..9}',
    ],
    talks: String.raw`
@a: The hide has a new tenant, a wren. She sleeps in the log book shelf.
@b {10..100}: Then we keep the log book on the bench until spring.
^^ heart a c
====
@a: Tripod {1..6} slips at the middle clamp. Don’t trust it with the good scope.
@b {15..120}: Tightened, {0.5..1.5} mm of thread left. I’d retire it next year.
====
@a: Two people came for their first count today. One counted {120..300} out of {301..340} and was disappointed.
@b {8..80}: Tell them my first was half of what was there.
@c {5..60}: Mine were gulls.
^^ joy a b
====
@a: {gear}, who has it? It should be in the hide.
@b {10..150}: In my car. Will be in the hide on {day}.
====
@a: The window on the west side lets the wind in. Tape is holding it, for now.
@b {20..150}: I bring a strip of felt and ten nails.
@a {60..900}: Quiet now, and the flask stays warm.
`,
  },
  {
    channel: 'boat-and-safety',
    topics: [
      'launch on {day}, week {w=2..51}',
      'trip to the {place}',
      'engine hours, week {w=2..51}',
      '✔ slip and trailer, week {w=2..51}',
      'radio check, week {w=2..51}',
    ],
    talks: String.raw`
@a: Out at {7..10}:{10..59}, back at {12..16}:{10..59}. Fuel {18..60} l left, hours {410..690}. Nothing to report, which is the best report.
^^ thumbs_up b
====
@a: Wind {wind} {4..9} m/s and rising. I’d rather not go past the {place} today.
@b {5..40}: Nor would I. {day} looks kinder.
@a {3..20}: {day} it is.
====
@a: Engine coughs when it’s cold. Filter has {60..120} hours.
@b {10..80}: It’s due at 100. I have one here, ten minutes’ work.
@a {120..600}: Changed. Starts at the first pull, and the second, and the third, because I enjoyed it.
^^ joy b c
====
@a: Radio check from the {place}: loud and clear on 8, broken on 16.
@b {4..40}: Same as ever behind the headland. Repeat everything twice from there.
====
@a: Who is on board on {day}? I need names before the evening, not in the morning at the slip.
@b {10..120}: Me.
@c {5..90}: Me too, if the tide lets me be back by {15..18}:00.
====
@a: The slip is slippery from the third plank on. I put sand down, it holds for {2..4} days.
@b {15..90}: I’ll scrape it on {day}. There’s a brush for it, with a long handle and a bad character.
^^ joy a c
====
@a: Checklist for the {place}, done together:

1. Fuel for twice the way
2. Radio, spare battery, flares in date
3. Kill cord *on the person*
4. Someone ashore who knows when to worry: {b}, from {15..18}:30
@b {4..30}: I know when to worry. I’ve been practising.
`,
  },
]
