import type { Subject } from './subject.ts'

export const desk: readonly Subject[] = [
  {
    channel: 'pipeline',
    topics: [
      'nightly job, week {w=2..51}',
      'gap at {station}, {day}',
      '✔ import {t=3100..4600}',
      'late files from {station}',
      'quality flags, {station}',
    ],
    talks: String.raw`
@a: Nightly job: {n=8..11} stations, {9000..9900} rows, {2..14} minutes. {station} had a gap of {11..90} minutes.
@b {10..90}: The gap is the battery visit. I’ll flag it as “service”.
====
@a: Import {3100..4600} took {n=21..70} minutes instead of five.
@b {8..60}: Somebody sent a year of raw files again.
@c {5..40}: I did, for the model. Should I have used the other folder?
@b {3..20}: The other folder, yes. Nothing is broken, it was only slow.
====
@a: Files from {station} arrive {2..9} hours late since {day}. Same content, just late.
@b {15..120}: The modem waits for a better signal. I moved its window to {1..4}:30 in the night.
@a {600..1400}: On time today.
^^ tada b
====
@a: Could we keep the original value beside the corrected one? I never know what the correction was.
@b {10..90}: We do, it’s \`level_raw\`. The view hides it.
@a {4..30}: Then I want a view that doesn’t.
@b {30..200}: \`readings_full\`. Slow, but honest.
====
@a: {n=3..40} rows with a time in the future. I love this job.
@b {5..60}: How far in the future?
@a {2..20}: {2..9} years.
@b {2..15}: A logger that was set by a thumb. Dropped, and the serial is in the list of suspects.
^^ joy a c
====
@a: Here’s what the check says about {station}:
~~~text
rows      {8000..9900}
missing   {3..90}
spikes    {0..14}
flat      {0..6}
~~~
@b {10..80}: Flat ones are low water at the sill, that’s real. The rest I can explain.
====
@a: I rewrote the check so that one bad row doesn’t throw away its whole day:
~~~python
good = rows[rows["flag"] == 0]
share = len(good) / max(1, len(rows))
if share < {0.6..0.9}:
    warn(f"{station}: only {share:.0%} of the day is usable")
~~~
@b {15..110}: Nice. Please not with {station2} yet, that one is still being moved.
====
@a: Does anybody still use the old export with semicolons?
@b {30..300}: One harbour does. I’ll ask whether they could take the new one.
@b {1..2}d: They can, from next month on.
^^ tada a
`,
  },
  {
    channel: 'pipeline',
    topics: [
      'summary page',
      'export for {station} harbour',
      'test data set {t=2..19}',
      '✔ units in the export',
      'alerts, try {t=2..8}',
    ],
    talks: String.raw`
@a: The summary page shows {station} twice. Once with a dash.
@b {10..80}: Two spellings in the station table. Merged, gone in ten minutes.
====
@a: Someone asks for levels in feet.
@b {6..60}: Someone may divide.
@c {5..50}: I’ve added a column, it was one line. Don’t tell {b}.
^^ joy a b
====
@a: Built a small test set: {3..9} days, every kind of error once, {20..80} kB. It runs in {2..9} seconds.
@b {20..160}: Found two bugs with it before lunch. Thank you, I think.
^^ joy a c
====
@a: The alert for {station} went off {2..7} times last night. All of them were waves.
@b {10..90}: Threshold is {3..6} cm, that’s too close to a rough sea. Let’s take the ten-minute mean.
@a {1..2}d: Two calm nights, no alarm. And the real one on {day} came through.
^^ tada b
====
@a: Question from the harbour at {station}: how old may a value be before the page says so?
@b {10..70}: 20 minutes. After that the number turns grey and says when it was.
@a {5..40}: They like grey.
`,
  },
  {
    channel: 'maps',
    topics: [
      'sheet {sheet}, edition {t=2..14}',
      'layer for the {place}',
      'track of {day}',
      '✔ names on sheet {sheet}',
      'print run {t=2..12}',
    ],
    talks: String.raw`
@a: Sheet {sheet} is drawn anew around the {place}. The old shoreline stays as a thin dashed line for a year.
@b {20..150}: Looks right to me. The withies are {3..12} m too far west.
@a {30..200}: Moved.
====
@a: Which name is on the map for the {place}? The fishermen say something else.
@b {15..100}: Both. Ours first, theirs in italics.
^^ thumbs_up a c
====
@a: Uploaded the track from {day}, {4..14} km. There’s a loop in it, I was looking for my {gear}.
@b {8..80}: The loop is now a permanent feature of sheet {sheet}.
@a {2..20}: Please no.
^^ joy b c
====
@a: Printed {10..40} copies of sheet {sheet} on the waterproof paper. They’re in the hut, and {3..6} in the van.
@b {15..140}: Thanks, the old ones were held together by tape.
====
@a: The layer for the {place} is empty on the phone but not on the laptop.
@b {10..70}: Zoom in once more, it starts at level {13..15}. Below that it would be one green dot.
@a {3..30}: There it is.
====
@a: Contours near the {place} cross each other in {2..7} spots. Water may do many things, but not that.
@b {20..120}: Two surveys that overlap, from different days. I’ve cut the older one.
^^ pray a
`,
  },
  {
    channel: 'sensor-specs',
    topics: [
      'bench test {t=11..88}',
      'cable for P4{t=10..40}',
      'antenna at {station}',
      '✔ drift test, week {w=2..50}',
      'panel size for {station}',
    ],
    talks: String.raw`
@a: Bench test, {24..96} hours in the tank: offset {0.1..0.9} cm, drift below {1..4} mm, noise {1..3} mm. Passed.
@b {15..120}: Certificate is in the folder, with the serial in its name.
====
@a: What’s the longest cable we have run with that sensor?
@b {10..90}: {30..70} m at the {place}. The drop over it was {0.1..0.6} V, still fine.
====
@a: The antenna at {station} loses {3..9} dB since the storm. It points at the sea now, romantic, not useful.
@b {8..70}: I can turn it on {day}. {60..120} degrees should be the mast.
@a {1..2}d: {b} turned it. Better than before the storm.
^^ tada b c
====
@a: Panel of {10..30} W, load {0.1..0.4} W, {5..9} dark days in a row. Is a {7..18} Ah battery enough?
@b {12..90}: Take the next bigger one. Cold costs you a third of it.
@a {3..30}: A third? All right, the bigger one.
====
@a: Compared two sensors side by side for {5..20} days:

| | mean difference (mm) | spread (mm) |
|---|---:|---:|
| calm days | {0.2..1.9} | {0.4..1.4} |
| windy days | {1.1..4.9} | {2.0..6.8} |
@b {20..160}: The windy days are the mount, not the sensor. It’s two hose clamps and optimism.
^^ joy a c
====
@a: Does the connector survive if it’s plugged in wet?
@b {5..60}: It survives. The reading doesn’t, for about {2..5} days.
@a {2..20}: So: no.
`,
  },
  {
    channel: 'papers',
    topics: [
      'reference list {t=2..19}',
      'methods paragraph, try {t=2..9}',
      'poster for {station}',
      '✔ abstract {t=2..12}',
      'figure {t=4..19}',
    ],
    talks: String.raw`
@a: Read the methods part. {2..7} remarks in the margin, one of them long. Good text!
@b {60..400}: Took all but one. “Approximately” stays, because it’s approximately.
^^ joy a c
====
@a: Do we cite the {2004..2019} paper or the newer one by the same group?
@b {15..120}: The newer one, it corrects a sign.
====
@a: The poster has {400..900} words. Nobody reads {400..900} words next to a coffee table.
@b {10..90}: What would you keep?
@a {5..50}: The map, one curve, one sentence. And a bird.
@c {10..60}: Always a bird.
^^ heart a b
====
@a: Figure {4..19} needs error bars. Or a reason why it has none.
@b {30..240}: Error bars. They’re smaller than the dots, but now one can see that.
====
@a: The abstract is {8..40} words too long.
@b {10..80}: “In order to” → “to”, four times. “Due to the fact that” → “because”. That’s {12..16}.
@a {4..30}: And it’s better now. How annoying.
^^ joy b c
`,
  },
]
