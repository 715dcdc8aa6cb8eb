import type { Thread } from './thread.ts'

export const pipeline: readonly Thread[] = [
  {
    in: ['pipeline', 'nightly import fails on empty files'],
    ends: '22m',
    unread: 2,
    script: String.raw`
@priya: The nightly import failed again, at 02:14, and nothing after station 3 was read.
~~~text
02:14:07 import  holm-0417.csv  0 bytes
02:14:07 ERROR   cannot read header: unexpected end of file
02:14:07 import  stopped, 3 of 11 stations done
~~~
@lucian 12: Same cause as last month? The logger makes the file before it has anything to put in it.
@priya 4: Yes. And we treat “nothing yet” as “everything is broken”.
@maren 1h: Suggestion: treat zero-byte files as “no data” and log the station, not the path. Nobody remembers which \
serial is where.
^^ 100 lucian tomasz
@ravi 30: In the firmware it’s a known thing: open, then write, then power goes away. 2.8.1 writes to a temporary \
name first. Until everyone has it, you need to cope.
@priya 25: Coping, then:
~~~diff
 def read_station(path: Path, station: Station) -> Readings:
-    header = next(csv.reader(path.open()))
+    if path.stat().st_size == 0:
+        log.warning("%s sent an empty file, taken as no data", station.name)
+        return Readings.empty(station)
+    with path.open(newline="") as file:
+        header = next(csv.reader(file))
~~~
plus a test that fails without it. In review now.
^^ rocket maren lucian ravi
@lucian 14: One question in the review: what if *all* stations are empty? Then I do want to be woken up.
@priya 9: Good point. More than half of them empty is an error again.
@lucian 16: @**Maren Aske** last thing, what should the daily summary say for a station without data? “–” or nothing?
@priya 6: I vote for “no data since 02:14”, because that is what people ask next.
^^ thumbs_up lucian
`,
  },
  {
    in: ['pipeline', 'median filter'],
    ends: '6h',
    script: String.raw`
@lucian: The median filter eats real events. Look at the surge: 12 minutes at the top are simply gone.
@keiko 15: Window of 25 minutes? Then anything shorter than half of it disappears, that is what a median does.
@priya 8: A Hampel filter instead: replace only what is further than $$k$$ deviations from the median.
~~~python
def hampel(x, half=6, k=3.5):
    med = x.rolling(2 * half + 1, center=True, min_periods=half).median()
    mad = (x - med).abs().rolling(2 * half + 1, center=True, min_periods=half).median()
    return x.where((x - med).abs() <= k * 1.4826 * mad, med)
~~~
The 1.4826 makes the deviation comparable with $$\sigma$$ for normal noise, because
~~~math
\mathrm{MAD} = \sigma\, \Phi^{-1}\!\left(\tfrac{3}{4}\right)
\;\Rightarrow\;
\sigma = \frac{\mathrm{MAD}}{0.6745} \approx 1.4826\, \mathrm{MAD}
~~~
^^ brain lucian maren
@lucian 40: Tried it on last winter. 31 spikes removed, all of them weed or boats. The surge keeps its top.
^^ tada priya keiko
@tomasz 10: And ship wakes at Holm? They look like spikes and are real water.
@lucian 22: They survive with \`k=3.5\`, they’re lost with \`k=2\`. So 3.5.
@keiko 5: Agreed. Please write *why* next to the number.
`,
  },
  {
    in: ['pipeline', 'timestamps in UTC'],
    ends: '2d 10:20',
    script: String.raw`
@ines: Question from the bench: when the clocks changed, gauge 6 has an hour twice. Who is right?
@priya 6: UTC is right. Gauge 6 was set by hand, by a laptop, in local time. By whom, I shall not say.
@tomasz 3: :raised_hand:
^^ joy ines maren lucian
@lucian 18: Shifted the block:
~~~sql
UPDATE readings
SET taken_at = taken_at - INTERVAL '1 hour'
WHERE station = 'G6' AND imported_in = 4411;  -- 3,182 rows
~~~
@priya 9: And the import refuses local time from now on. It looks at the drift against the tide model, an hour is \
very visible.
@keiko 20: Excellent. “What time is it” should never be a matter of opinion.
`,
  },
  {
    in: ['pipeline', 'new station ids'],
    ends: '3d 16:45',
    script: String.raw`
@lucian: Station ids change on Monday: \`ness-1\` instead of \`NS01\`. Old ones keep working in links, not in new files.
@ravi 25: Does the firmware care?
@lucian 3: It sends its serial, DT-0417 and so on. The mapping is ours:
~~~json
{
  "DT-0398": { "station": "ness-1", "since": "2024-03-11" },
  "DT-0402": { "station": "ness-2", "since": "2024-03-11" },
  "DT-0417": { "station": "holm-4", "since": null }
}
~~~
@priya 30: \`null\` means “not yet”? I would leave the key out.
^^ thumbs_up ravi keiko
@lucian 4: Left out.
@ines 2h: DT-0233 is in a drawer here. Does it need a station?
@lucian 7: No. A drawer is not a station. *Yet.*
^^ joy ines tomasz maren
`,
  },
  {
    in: ['pipeline', 'tide model runs'],
    ends: '4d 13:25',
    script: String.raw`
@keiko: How do I run the tide model for next year on my own machine? The page says “as usual”.
@priya 11: “As usual” is my fault, sorry. From the top:
~~~bash
git clone https://git.skerry.example/tide-model && cd tide-model
uv sync
uv run tide predict --station ness-1 --from 2027-01-01 --to 2027-12-31 --out ness.csv
~~~
About two minutes per station. With \`--jobs 4\` all eight take five.
@keiko 26: Works, thank you. And what is \`nodal\` in the settings?
@priya 8: The slow swing of the moon’s path, 18.6 years. The amplitudes of the constituents go up and down with it:
$$f_{M_2} = 1 - 0.037 \cos N$$, so about 4 percent. Over one year it hardly matters, over ten it does.
^^ crescent_moon keiko maren
@aroha 5h: Ran it for our harbour, only the constituents changed. Residual 4 cm, without touching the code. Beautiful.
^^ heart priya lucian keiko
`,
  },
  {
    in: ['pipeline', '✔ disk full on the import machine'],
    ends: '8d 9:15',
    script: String.raw`
@priya: Import machine: 100 percent full, nothing was lost, the loggers keep three weeks.
@lucian 10: What ate it?
@priya 15:
~~~text
$ du -sh * | sort -h | tail -4
3.1G   tiles
4.4G   raw
9.0G   exports
61G    debug
~~~
@ravi 3: Debug logs of the radio, since I looked into the brownout. Mine. Deleting them now, :sweat_smile:
^^ joy priya lucian
@priya 12: 78 GB free. And the nightly job now complains at 80 percent instead of dying at 100.
^^ thumbs_up lucian maren keiko
`,
  },
]
