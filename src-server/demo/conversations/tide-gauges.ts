import type { Thread } from './thread.ts'

export const tideGauges: readonly Thread[] = [
  {
    in: ['tide-gauges', 'gauge 4 offset drift'],
    ends: '14m',
    unread: 4,
    script: String.raw`
@tomasz: Gauge 4 reads about 6 cm high against the staff board again. I don’t think it’s fouling this time.
^^ label high
@ines 4: How does the board look? Last time somebody read the old paint line.
@tomasz 6: Clean, and I read it twice. Board 2.31 m, logger 2.37 m, no swell to speak of.
@keiko 9: @_**Tomasz Wilk** [said](#narrow/channel/1-tide-gauges/topic/gauge.204.20offset.20drift/near/{@high}):
~~~quote
I don’t think it’s fouling this time.
~~~
Agreed, in March it was the vent tube. The six-hour median says it started three days ago:
~~~python
resid = gauge["level_m"] - staff.reindex(gauge.index)
drift = resid.rolling("6h").median()  # gaps are fine here
print(drift.resample("1D").last().tail(4).round(3))
~~~
^^ eyes ines tomasz odhran
^^ pray tomasz maren
^^ ocean ines
@priya 8: Could it be the air pressure? It has been rising for three days.
@keiko 3: The logger is vented, so pressure should cancel. *Should.* If the tube is blocked, \
the logger still breathes the air of three days ago, and every hPa since then looks like 1 cm of sea:

| | pressure (hPa) | expected if blocked (cm) | seen (cm) |
|---|---:|---:|---:|
| three days ago | 1013 | 0.0 | 0.2 |
| two days ago | 1016 | 3.0 | 2.6 |
| yesterday | 1018 | 5.0 | 4.9 |
| now | 1019 | 6.0 | 6.1 |
^^ exploding_head ines
^^ thumbs_up priya tomasz maren
@maren 5: That is a very convincing last column. So: wet or kinked tube.
@odhran 6: I have the spare housing on the launch. We can lift it at low water if somebody stays on the bench.
@ines 22: Logger is on the bench. Voltage is fine, humidity inside the housing is not.
~~~spoiler Full housing log
10:04 opened, first clamp dry
10:09 moisture at the second clamp
10:15 O-ring looks fine, a hair across the seat of it
10:21 desiccant pink all the way through
10:26 closed again with the spare ring
~~~
^^ label log
^^ thumbs_up keiko odhran
@keiko 5: @**Maren Aske** could you check the desiccant when you’re out there? Low water is <time:+5h>.
^^ thumbs_up odhran ines
@keiko 1: If the tube is wet, swap it and note the serial in #**tide-gauges>battery swap rota**.
@ines 4: And photograph the fitting *before* you open it, please. In March we argued for a week about which side the \
clamp was on. :camera:
^^ joy tomasz keiko
`,
  },
  {
    in: ['tide-gauges', 'battery swap rota'],
    ends: '55m',
    unread: 2,
    script: String.raw`
@maren: New quarter, new rota. Two gauges each, a fortnight to do them. Say so if a week is impossible.

| gauges | who | by | done |
|---|---|---|:-:|
| 1, 2 | Tomasz | end of next week | :check: |
| 3, 4 | Ines | end of next week | |
| 5 | Odhran | with the next launch | |
| 6, 7 | *nobody yet* | | |
| 8 | Keiko | when she is back | |
^^ thumbs_up tomasz ines keiko odhran
@tomasz 3h: 1 and 2 done on the way home. 12.61 V and 12.58 V after an hour under load. Serials DT-0398 and DT-0402.
^^ tada maren ines
@odhran 1d: Can’t promise 5 before the wind turns. It sits right where the swell comes round the groyne.
@maren 25: No hurry, it had 11.9 V on Monday. Below 11.6 I would start to sweat.
@keiko 2h: For whoever takes 6 and 7: the terminals of 7 are *reversed* compared with the drawing. Red is left. I put \
tape on it, do not trust the tape either, measure.
^^ scream yusuf ines
^^ pray maren
@yusuf 12: “Do not trust the tape” should be on our letterhead.
^^ joy maren tomasz hanne solveig
@ines 1d: 3 is done, DT-0411. 4 I leave until the drift business is over, no point opening it twice.
@hanne 6h: I can do 6 and 7 on Friday if someone lends me the drysuit.
@nils 20: The drysuit in size M is free from Friday. It is behind the skis, as everything.
^^ heart hanne
`,
  },
  {
    in: ['tide-gauges', 'storm surge check'],
    ends: '9d 19:10',
    script: String.raw`
@weather: **Gale warning** for Ness to Holm: south-west 8, gusts to 24 m/s from midnight. Surge of 0.4 to 0.6 m on \
top of the tide expected.
@maren: @*gauge-team* before it gets dark, please each look at one plot and say if it is sane. I want all eight \
believable **before** the peak, not after.
@ines 11: 3 and 4 are fine if you subtract the 6 cm we know about.
@tomasz 4: 1, 2 fine. 1 has a gap from 14:00 to 14:20, that was me with the laptop.
@odhran 19: 5 is live. I tied the mooring line away from the housing, it was slapping it.
@keiko 7: 6, 7, 8 fine. The forecast in one line, so that nobody has to open the map:
~~~text
      18  19  20  21  22  23  00  01  02  03  04  05
tide   ▂   ▂   ▃   ▅   ▆   ▇   █   ▇   ▆   ▄   ▃   ▂
surge  ▁   ▁   ▁   ▂   ▂   ▃   ▄   ▅   ▅   ▄   ▃   ▃
~~~
^^ ocean maren ines odhran tomasz
@maren 3: Thanks. The surge peak is an hour after high water, so we are lucky by about 15 cm.
@keiko 5h: Peak at Ness 3.42 m, residual 0.53. All eight were recording through it. :tada: Going to bed.
^^ tada maren ines odhran tomasz priya hanne
^^ zzz yusuf
@lucian 9h: I compared with the model: 0.53 seen, 0.49 forecast. For this coast that is embarrassingly good.
`,
  },
  {
    in: ['tide-gauges', 'datum shift'],
    ends: '2d 15:32',
    script: String.raw`
@lucian: Before anybody publishes: the levelling from Ness to Holm closes with 7 mm now, and the bench mark at Ness \
has moved by most of it. I propose one shift for everything after the new levelling.
@keiko 40: How sure are we that it is the mark, and not the staff?
@lucian 14: Three runs with two staffs. In short, with heights $$h_i$$ and weights $$w_i = 1 / \sigma_i^2$$:
~~~math
\hat{h} = \frac{\sum_i w_i h_i}{\sum_i w_i},
\qquad
\sigma_{\hat{h}} = \Big( \sum_i w_i \Big)^{-1/2} \approx 1.4\ \text{mm}
~~~
So 6.8 mm with an uncertainty of 1.4 mm. It is the mark.
^^ brain priya maren
@maren 9: Then please apply the offset **once**, in the import, not in every notebook. Three of us have the old number \
in our own scripts, I know because I am one of them.
^^ raising_hand priya tomasz
^^ joy ines
@priya 21: There is a table for it already:
~~~sql
INSERT INTO datum_shift (station, valid_from, shift_mm, reason)
VALUES ('NESS', '2024-02-11', -6.8, 'levelling closed, bench mark moved');

SELECT r.taken_at, r.level_m + coalesce(d.shift_mm, 0) / 1000.0 AS level_m
FROM readings r
LEFT JOIN datum_shift d ON d.station = r.station AND r.taken_at >= d.valid_from
WHERE r.station = 'NESS';
~~~
@keiko 6: Good. And the old survey? #**old-survey-2019>datum 2019** used the same mark.
@lucian 10: Untouched. Anything before the new levelling keeps its numbers, with a note. ~~I will write the note \
today~~ I will write the note tomorrow.
`,
  },
  {
    in: ['tide-gauges', 'gauge 5 thermistor'],
    ends: '3d 12:18',
    script: String.raw`
@odhran: Gauge 5 thinks the sea is minus 40. It is cold, but not that cold.
^^ cold_face yusuf ines hanne
@tomasz 15: Minus 40 flat, or noisy around it?
@odhran 3: Flat as a pancake since Tuesday night.
@tomasz 6: Then the thermistor is open, minus 40 is what you get when no current flows. Connector or a broken lead. \
Measure between pins 3 and 4: about 10 kΩ at 25 °C, more when colder.
@odhran 1d: Pins 3 and 4: nothing. Wiggled the lead at the gland, jumped to 27 kΩ, then nothing again.
@tomasz 8: 27 kΩ is about 4 °C, so the element itself is alive:
$$T \approx \left( \frac{1}{298} + \frac{1}{3950} \ln \frac{R}{R_{25}} \right)^{-1} - 273$$
The lead is broken *inside the gland*. Cut it back 5 cm and crimp it again. Don’t solder, solder wicks and breaks in \
the same place a year later.
^^ thumbs_up odhran ines
@ines 30: For the data: mark temperature bad from Tuesday 23:10, level is not affected. We do compensate level with \
temperature, but gauge 5 takes the one from the hull sensor.
@odhran 5h: Crimped. 6.3 °C and wiggling along happily.
^^ tada tomasz ines
@ines 12: Marked in the quality table. Closing this one unless somebody minds.
`,
  },
  {
    in: ['tide-gauges', '✔ spring calibration'],
    ends: '04-03 14:05',
    script: String.raw`
@keiko: The calibration bath is booked for three days. Order of work:

1. Gauges 1 to 4: pressure only, they were done fully in autumn
2. Gauges 5 and 6: pressure *and* temperature
3. Gauges 7 and 8: everything, and new O-rings
   * bring the **blue** grease, the white one swells the rings
   * photograph the old rings next to a ruler
@tomasz 1h: Certificates go into the shared folder, one PDF per serial, please no more “final_final2”.
^^ joy ines priya lucian
@ines 1d: Day one: 1 to 4 within 0.3 cm.
@ines 1d: Day two: 5 and 6 fine. 6 was slow to settle, an air bubble in the fitting.
@keiko 1d: All eight done. Largest offset is gauge 7 at 0.9 cm, which is inside the spec. I’ll leave it until autumn.
^^ tada maren tomasz ines odhran priya
^^ starred
@maren 20: Wonderful work, and a day early. Marking this as resolved.
`,
  },
  {
    in: ['tide-gauges', '✔ gauge 2 housing'],
    ends: '5d 10:40',
    script: String.raw`
@hanne: The lid of gauge 2 has a crack from the hinge to the second bolt. Not through yet.
@nils 35: There is one grey lid left in the stores. After that we wait eight weeks.
@hanne 6: Then I take it, and we order two.
@maren 10: Order three. There is money left in “small parts” and none of it survives December.
^^ moneybag nils yusuf
@hanne 1d: New lid on, torqued crosswise to 4 Nm. Old one is in the lab with a label saying why.
^^ thumbs_up maren tomasz nils
@odhran 40: Does the new one fit the bracket? The last grey ones were a plate thickness wider.
@hanne 4: It does *now*. I own a file.
^^ muscle odhran tomasz yusuf
`,
  },
]
