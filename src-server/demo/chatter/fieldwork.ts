import type { Subject } from './subject.ts'

export const fieldwork: readonly Subject[] = [
  {
    channel: 'tide-gauges',
    topics: [
      'gauge {gauge=1..8} {part}',
      '✔ gauge {gauge=1..8} visit, {day}',
      'gauge {gauge=1..8} after the storm',
      'gauge {gauge=1..8} housing',
    ],
    talks: String.raw`
@a: Opened gauge {gauge} at low water. The {part} has seen better days, everything else is dry.
@b {6..40}: Replace it now or with the next visit?
@a {3..20}: Now. I have {2..4} spares in the box.
====
@a: Gauge {gauge} against the staff board: {2.05..3.30} m on the logger, {n=3..9} mm between them after {5..12} readings.
@b {8..50}: {n} mm is inside what I can read on that board in a swell.
@a {4..30}: Then I leave it alone and write it down.
^^ thumbs_up b
====
@a: Humidity in the housing of gauge {gauge} is at {n=41..79} percent. It was {22..38} last month.
@b {5..25}: Desiccant?
@a {2..15}: Pink on {day}, changed the same day, pink again.
@c {10..60}: Then it comes in faster than the pack can drink. I’d look at the {part} first.
@a {60..240}: It was the {part}. {n} percent and falling since noon.
^^ tada b c
====
@a: Who was last at gauge {gauge}? The lid had only {3..5} bolts in it.
@b {10..90}: Me, on {day}. The missing ones are in my pocket, I’m ashamed.
@a {3..20}: At least they aren’t in the sea. Bring them along when you pass the {place}.
====
@a: Voltage on gauge {gauge} is {11.8..12.7} V in the morning and {12.6..13.4} V at noon, so the panel works.
@b {10..60}: Salt on the glass?
@a {5..30}: A little. Wiped it, plus {3..11} percent current.
====
@a: For the book: gauge {gauge}, old serial DT-0{200..299}, new serial DT-0{300..399}, started {6..11}:{10..59} UTC.
@b {15..120}: Entered, and the import knows.
^^ thumbs_up a
====
@a: There’s weed around the stilling pipe of gauge {gauge}, about {20..70} cm of it. I cleared what I could reach from the ladder.
@b {10..70}: Did the reading change when you cleared it?
@a {3..20}: By {4..14} mm, and it answers the waves quicker now.
@b {2..10}: So it *was* the weed. Good catch.
====
@a: Spent the tide on gauge {gauge}. Since it may help the next person, the whole story:

* Wind {wind}, {3..9} m/s, swell under half a metre
* The bolts of the lid were seized, two needed the {tool}
* Inside: dry, but the {part} shows a groove on one side
* Clock was {2..48} s fast, set it from the phone
* Closed at {10..15}:{10..59} UTC, first good record six minutes later

Next visit should bring a new {part} and twenty centimetres of cable.
^^ pray b
@b {20..180}: That’s how I’d like every visit written up. It goes into the book as it is.
`,
  },
  {
    channel: 'tide-gauges',
    topics: [
      'levelling at the {place}',
      'staff board at the {place}',
      '✔ bench mark {t=11..48}',
      'levelling loop, week {w=10..48}',
    ],
    talks: String.raw`
@a: Loop closed with {1.1..6.8} mm over {2.1..7.9} km. The tripod sank once, we repeated that leg.
@b {12..80}: Good. Please keep the raw book too, not only the result.
====
@a: Can somebody hold the staff on {day}? It’s two hours, most of it standing still.
@b {5..60}: I’m good at standing still.
@c {3..30}: It’s true. I have seen it.
^^ joy a b
====
@a: The paint on the staff board at the {place} is gone below {0.4..1.2} m. You read barnacles there.
@b {10..70}: I have the stencils. Neap tide would be best, the lower part is never dry otherwise.
@a {5..40}: I’ll put it on the plan with the next neaps, {day} or so.
====
@a: Does anyone have the description of mark {20..80}? The sketch shows a wall that is no longer there.
@b {20..150}: The wall fell in the storm. The mark is on the rock behind it, a brass bolt, {2..6} paces from the fence.
@a {30..120}: Found it, under a very fat slug.
^^ joy b c
====
@a: Two readings differ by {11..29} mm. Either I swapped the fore sight or the ground moved.
@b {6..40}: The ground rarely moves between breakfast and lunch.
@a {15..90}: I swapped them. Corrected, {0.4..2.2} mm now.
====
@a: Height of the new mark at the {place}:

| from | to | rise (m) |
|---|---|---:|
| {station} church | mark {11..19} | {1.201..2.950} |
| mark {20..29} | mark {30..39} | {0.104..0.950} |
| mark {40..49} | new mark | {0.301..1.420} |
@b {15..90}: Same as mine to the millimetre in two of three, and {2..4} mm in the last one.
@a {5..60}: I can live with that, I was the one holding the staff in the wind.
`,
  },
  {
    channel: 'tide-gauges',
    topics: ['spare parts, week {w=2..50}', 'order for {day}', 'cable for the {place}', '✔ {part} order'],
    talks: String.raw`
@a: The order goes out on {day}. I have {2..5} × {part}, {20..60} m of cable and the blue grease. Anything else?
@b {10..120}: One {tool}, please. Ours has gone to live with somebody else.
@c {5..90}: Sorry, that was me. It’s back in the drawer.
@b {2..10}: Then nothing from me.
====
@a: Delivery came, {3..9} boxes. The {part} they sent is the old type, two millimetres too wide.
@b {10..60}: Does it fit with an adapter?
@a {5..30}: It does, and it looks terrible. I’m sending it back.
====
@a: How many metres do we need down to the {place}?
@b {10..50}: {18..42}, if you follow the wall. {12..17} if you trust the gulls with a free span.
@a {2..12}: The wall, then.
====
@a: Prices for cable went up by {8..30} percent. I took {50..100} m now, it does not get cheaper or worse.
@b {10..200}: Right decision. It goes on the gauge budget, not on small parts.
====
@a: Is the {tool} at the {place} or in the van?
@b {4..60}: Van, left side, under the blanket.
@a {10..80}: Got it.
====
@a: I counted what we have, so that we stop buying the same thing twice: {3..9} × {part}, {10..40} O-rings, {2..6} antennas, {1..3} whole housings.
@b {10..90}: And one housing in the shed that nobody dares to open.
@c {5..30}: It hums. I still won’t.
^^ joy a b
`,
  },
  {
    channel: 'north-flats',
    topics: [
      'quadrats {a1=20..39} to {a2=40..59}',
      'sieving on {day}',
      'sediment from the {place}',
      'cores, week {w=5..48}',
      '✔ transect {t=1..14}',
    ],
    talks: String.raw`
@a: Quadrat {20..59}: {n=12..61} casts, {80..900} mud snails, {2..19} cockles above 10 mm. Redox {-90..-20} mV.
@b {10..120}: {n} casts is what that end of the flat had last year as well.
====
@a: Sieved {4..12} cores. The 0.5 mm mesh is slow today, a lot of shell grit in it.
@b {15..60}: Wash it from below, then it goes twice as fast.
@a {20..80}: It does. I’ve been doing this wrong for {2..6} years.
^^ joy b c
====
@a: Who has the {gear}? It’s not on the sledge.
@b {5..90}: Drying behind the hut. I’ll carry it out on {day}.
====
@a: Samples from the {place} are in the fridge, {8..24} bags, second shelf. Please don’t put lunch on top.
@b {10..60}: Please don’t put mud *below* lunch.
^^ joy a c
====
@a: Mean grain size at the {place} is {0.08..0.21} mm now, it was {0.22..0.31} in the spring. Finer, and quite a lot.
@b {20..150}: The storm took the sand off. It usually returns until summer.
@c {10..90}: I’d take one more core {5..20} m further out, to be sure it’s not only a puddle of mud.
@a {60..300}: Took two. Same. So it is not a puddle.
====
@a: Walked the line on {day}. Surface is firm up to the withies, ankle deep behind them, and the channel has moved {4..15} m towards the {place}.
@b {15..100}: Can you still cross at half ebb?
@a {5..40}: With boots yes, with the sledge no.
====
@a: Results of the tide, before I forget them:

| quadrat | casts | snails | cockles |
|---:|---:|---:|---:|
| {20..24} | {14..60} | {100..800} | {2..18} |
| {25..29} | {14..60} | {100..800} | {2..18} |
| {30..34} | {14..60} | {100..800} | {2..18} |
| {35..39} | {14..60} | {100..800} | {2..18} |
^^ clap b
@b {10..90}: Entered. The snails are as many as ever, the cockles are mostly this year’s.
====
@a: A volunteer asked today why we count worm heaps. I said: they’re the only ones who were here at low tide every day.
@b {15..120}: That is a better answer than ours in the leaflet.
^^ heart a c
`,
  },
  {
    channel: 'north-flats',
    topics: [
      'litter line, {day}',
      'beach walk to the {place}',
      'stranded at the {place}',
      '✔ oil at the {place}',
    ],
    talks: String.raw`
@a: 100 m of strand line at the {place}: {14..60} pieces of rope, {20..90} bits of foam, {1..9} bottles, {1..4} gloves. All left hands, as always.
@b {10..100}: Somewhere there’s a fisherman with a box of right ones.
^^ joy a c
====
@a: Dead {bird} at the {place}, ringed, metal on the right leg. I noted the number and left it for the fox.
@b {20..150}: Thanks, sent to the ringing centre.
====
@a: There’s a film on the water near the {place}. Could be oil, could be peat.
@b {5..40}: Poke it with a stick. If it breaks into plates it’s peat, if it closes again it’s oil.
@a {10..60}: Plates. Peat. What a relief.
^^ thumbs_up b c
====
@a: Took {18..70} kg off the beach with {3..7} people, most of it one net.
@b {10..80}: The harbour picks it up on {day}, it only has to lie above the wrack line.
====
@a: A porpoise skull at the {place}, old and clean. May I keep it for the school box?
@b {15..90}: Yes, but report it first, they keep a list.
@a {30..240}: Reported, number {1100..1990}. It’s ours.
`,
  },
]
