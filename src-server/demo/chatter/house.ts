import type { Subject } from './subject.ts'

export const house: readonly Subject[] = [
  {
    channel: 'kitchen',
    topics: [
      'dinner on {day}, week {w=2..51}',
      '{food}',
      'who cooks in week {w=2..51}',
      '✔ no {shelf} left',
      'breakfast, week {w=2..51}',
    ],
    talks: String.raw`
@a: {day}: {food} for {4..11}. Ready at seven, or when the boat is in.
@b {10..120}: The boat says half past.
@a {3..30}: {food} can wait. I can’t, but it can.
^^ joy b c
====
@a: Who finished the {shelf}? I’m not angry, I only want to know whom to follow to the shop.
@b {8..90}: Me. I’ll bring two on {day}.
====
@a: Is there anything left from yesterday?
@b {5..60}: {food}, blue pot, enough for {2..5}. Warm it slowly.
@a {20..90}: It was better than yesterday.
^^ heart b
====
@a: How long does {food} take on the small stove? The big one is out.
@b {6..60}: Twice as long as you think, with the lid on.
====
@a: {c} made {food}. I had three plates. I’d like that to be in the record.
@c {10..90}: It’s in mine.
^^ yum b
====
@a: Shopping for week {w=2..51}: {shelf}, {shelf2}, {2..6} kg potatoes, {1..4} bread, and whatever {b} forgot last time.
@b {5..60}: I forgot nothing. I *prioritised*.
^^ joy a c
`,
  },
  {
    channel: 'hut-repairs',
    topics: [
      '{broken}',
      '✔ {broken}, again',
      'firewood, week {w=2..51}',
      'working day, {day}',
      'paint for the {broken}',
    ],
    talks: String.raw`
@a: The {broken} is loose. I put a wedge in, so don’t be surprised when it looks like a wedge.
@b {15..140}: I’ll look at it on {day}, with proper screws.
@b {1..2}d: Done. The wedge is on the shelf, it was a good wedge.
^^ thumbs_up a
====
@a: Do we own a {tool}?
@b {5..90}: We own two and can find one.
@a {10..60}: I found the other one as well!
^^ tada b
====
@a: Split and stacked about {1..3} cubic metres. My back has opinions.
@b {10..100}: Respect. I’ll do the rest before {day}.
====
@a: It drips next to the {broken} when the wind is {wind}, not otherwise.
@b {12..100}: Then it’s blown in, not leaking. A strip of lead, {20..60} cm.
@c {20..150}: There’s lead left under the workbench, from the chimney.
@b {300..1400}: On. Now we wait for a proper storm.
====
@a: Paint for the {broken}: {colour} or {colour2}?
@b {5..80}: Whatever is in the tin.
@a {3..40}: The tin says “brown, probably”.
^^ joy b c
====
@a: Working day: {3..8} people, {4..7} hours. The {broken} is done, the {broken2} has to wait for dry weather. Coffee ran out at eleven, which is noted as an incident.
^^ joy b c
@b {20..160}: Thank you all. It looks like a hut again.
`,
  },
  {
    channel: 'stores',
    topics: [
      '{gear}, who has it',
      'list of week {w=2..51}',
      '✔ {gear} back',
      'lost and found, {day}',
      'charging shelf, week {w=2..51}',
    ],
    talks: String.raw`
@a: {gear}: {n=2..6} on the hook, one is missing.
@b {10..150}: One is with me until {day}. It’s on the list, second page.
@a {3..30}: There’s a second page?
^^ joy b c
====
@a: Returned the {gear}, washed, dry, and with both straps.
@b {10..90}: You may borrow things again.
^^ tada a
====
@a: Found a {gear} at the {place}. No name on it.
@b {15..200}: Does it have a burn mark on the handle?
@a {3..30}: It has.
@b {2..20}: Then it’s mine. I don’t want to talk about the burn mark.
^^ joy a c
====
@a: Please write down what you take. I counted {2..5} torches, and the list says {6..9}.
@b {10..120}: Two are in the van, one in the hide. I’ll write it down *now*.
====
@a: Do we have {shelf}? And a {tool}?
@b {8..100}: Yes, and yes. Shelf three, next to the thing that nobody knows.
====
@a: Charged overnight: {3..8} torches, {2..4} radios, one phone with {1..9} percent and no owner.
@b {15..90}: The phone is mine. Thanks for its life.
`,
  },
  {
    channel: 'new-arrivals',
    starters: 'mika ravi priya amaru beatriz aroha ines',
    topics: [
      'hello, group {t=2..19}',
      'first tide, {day}',
      'keys and lockers, week {w=2..51}',
      '✔ boots in size {t=36..47}',
    ],
    talks: String.raw`
@b: {2..5} new people on {day}. Who can show them round for an hour?
@c {10..140}: I can, from two o’clock. I end at the kitchen, that always works.
^^ thumbs_up b
====
@a: What do I need for my first day on the flats?
@b {5..90}: Boots, two pairs of socks, something with a hood. We’ve the rest. And breakfast.
@c {10..60}: Especially breakfast.
====
@a: Where do I find the tide table?
@b {4..60}: On the door, in the kitchen, and in this app: **Tide bot** knows it too.
@a {3..30}: It even answers. Thanks!
====
@a: I lost locker key {11..48}.
@b {10..100}: The spare is with {c}, third drawer. It happens to everybody once.
@c {5..70}: Twice, in my case.
^^ joy a b
====
@a: Which of the channels should I read every day?
@b {8..90}: Yours, and the announcements. The others when you’re curious. Mute what you don’t need, nobody minds.
====
@a: My first core today! {12..40} cm, not broken, and only one of my boots stayed in the mud.
@b {6..80}: Welcome to the club. The boot comes out when you wiggle the heel.
^^ tada b c
`,
  },
  {
    channel: 'old-survey-2019',
    topics: [
      'first deployment',
      'brackets and bolts, batch {t=2..9}',
      'walk to {station}',
      'old photos {t=2..12}',
    ],
    talks: String.raw`
@a: Installed {2..4} today. The bracket sits {1..3} bolts higher than drawn, because the wall does.
@b {30..300}: Then the constant changes, please note it on the drawing.
====
@a: If we keep the M8 bolts there’ll be {4..9} mm of play. I’d rather drill again.
@b {20..200}: Drill again. It has to stand there for years.
^^ thumbs_up a
====
@a: Found photos of the wall at {station}, before the quay was built. Scanned {6..30} of them.
@b {60..400}: Wonderful. In one of them you see the old mark, bottom left.
====
@a: Walked to {station} and back, {8..16} km, to find out that the mark is behind a locked gate.
@b {15..120}: The key is with the harbour master. He likes buns.
^^ joy a c
====
@a: First full day of data: {120..144} of 144 values. I’m so happy I could swim.
@b {10..90}: Please don’t.
`,
  },
  {
    channel: 'announcements',
    topics: ['monthly letter {t=2..12}', 'field days, earlier', 'staff call', 'closed on {day}'],
    talks: String.raw`
@a: The letter of this month is out: {8..11} gauges and sensors at work, {3..9} counts, {14..29} people on the water or in the mud. Thank you for each of those hours.
^^ heart b c
====
@a: Staff call on {day} at <time:+2d>. One question from me: what should we stop doing?
^^ thumbs_up b c
====
@a: The hut is closed on {day} for the electrician. Bring a torch if you must fetch something.
^^ thumbs_up b
====
@a: Field day {2..10} is over: {9..24} people, {4..11} quadrats, {1..3} counts, no injuries, one birthday.
^^ tada b c
====
@a: Please look at your entry in the emergency list, it takes {2..4} minutes. The list hangs at the door and lives in the office.
^^ white_check_mark b c
`,
  },
]
