import type { Thread } from './thread.ts'

export const mapsAndSensors: readonly Thread[] = [
  {
    in: ['maps', 'new bathymetry tiles'],
    ends: '90m',
    unread: 1,
    script: String.raw`
@lucian: The new bathymetry is here, 0.5 m grid for everything between Ness and the bar. It is *beautiful*. You can \
see the old sledge track.
^^ eyes maren hanne aroha beatriz
@hanne 22: Does it have the new hole at 17?
@lucian 4: It has. 1.1 m deep, 14 m long, and moving west by about a metre a month.
@beatriz 30: How big is the download? At the hut we have one bar, on a good day.
@lucian 50: 1.2 GB, so I split them by sheet. Download only what you need:

| sheet | covers | size |
|---|---|---:|
| 12N | north flats | 210 MB |
| 12S | spit and slip | 180 MB |
| 13N | bar, outer channel | 460 MB |
| 13S | Holm | 350 MB |
`,
  },
  {
    in: ['maps', 'contours for the flats'],
    ends: '1d 17:20',
    script: String.raw`
@aroha: Which contour interval do you use on flats? Ours are so flat that 25 cm gives two lines in a kilometre.
@lucian 9h: 10 cm, with every fifth one bold. Below that you draw noise: the survey is good to 3 cm.
@hanne 20: On paper I need them in metres above **chart datum**, not above mean sea level. I’m walking, not sailing.
@lucian 15: Both are layers. The difference here is 1.87 m, please never mix them on one sheet.
@priya 40: Generated, in one go:
~~~bash
gdal_contour -a level -i 0.1 -f GPKG flats.tif contours.gpkg
ogr2ogr -where "CAST(round(level*10) AS int) % 5 = 0" bold.gpkg contours.gpkg
~~~
@aroha 7h: Took the same two lines home. Thanks, that saved me an evening.
^^ heart priya lucian
`,
  },
  {
    in: ['maps', 'offline tiles'],
    ends: '3d 8:55',
    script: String.raw`
@beatriz: The map app lost all its tiles when I opened it at the spit. White screen, very poetic, not useful.
@lucian 13: It throws them away after 14 days without a connection. There is a switch: settings → storage → *keep*.
@beatriz 5: Found it. Why is that not on by default?
@lucian 8: Because somebody once filled the field phone with Antarctica.
^^ penguin hanne maren aroha
^^ joy beatriz priya
@hanne 25: I was curious.
`,
  },
  {
    in: ['sensor-specs', 'logger firmware 2.8'],
    ends: '70m',
    unread: 2,
    script: String.raw`
@ravi: Firmware 2.8 is out for all loggers. The short version of the change list:

* stores the offset in the header, so the import has to stop adding it
* wakes up 40 ms earlier, readings settle better
* one sentence of error text instead of \`E17\`
^^ tada tomasz ines priya
@ines 30: Flashed two on the bench. Both good. 14 minutes each over the slow cable.
@tomasz 2h: Clock on DT-0402 went back to 1970 after I pulled the battery for a second. Only 2.8, not 2.7.
@ravi 15: Reproduced. It’s the clock write in the shutdown path, when the voltage drops slowly it writes half of it.
~~~c
static void on_brownout(void)
{
    /* Too late to be clever: the supply lasts 3 ms from here. */
    rtc_write_protect(true);
    flash_abort();
    sleep_forever();
}
~~~
^^ label brownout
^^ bug tomasz ines
@tomasz 6: “Too late to be clever” is going on my wall.
^^ joy ines ravi priya odhran
@ravi 3h: 2.8.1 release candidate is up. Please flash **one** logger each, not all, and pull the battery a few times.
@ines 25: Pulled it eleven times, it knows what year it is every time. See \
#**sensor-specs>logger firmware 2.8@{@brownout}** for what changed.
^^ thumbs_up ravi tomasz
`,
  },
  {
    in: ['sensor-specs', 'pressure or radar for Holm'],
    ends: '7h',
    script: String.raw`
@tomasz: For the new mast at Holm: another pressure sensor, or radar from above? Radar has no fouling, no vent tube, \
no desiccant.
@odhran 12: Radar has gulls.
^^ joy ines keiko priya
@tomasz 3: Gulls are filtered out, they move.
@odhran 5: You have not met *our* gulls.
@keiko 40: Side by side, from the two data sheets:

| | pressure P410 | radar R7 |
|---|---|---|
| accuracy | 0.05 % of range, **5 mm** at 10 m | **2 mm** |
| power | 3 mA | 38 mA |
| waves | averages them itself | needs many samples |
| price | fair | :money_mouth_face: |
| service | twice a year | a cloth |
@ines 15: 38 mA is a bigger panel *and* a bigger battery, in a place where the sun is a rumour in December.
@tomasz 1h: Duty cycle. One minute in six: 38 / 6 ≈ 6.3 mA. That’s only twice the P410.
@keiko 20: Then radar for Holm, and we leave the old pressure one below it for a year to compare.
^^ thumbs_up tomasz ines odhran
@mika 35: May I use that comparison for my thesis? I’d do the statistics.
@keiko 5: Please do! That’s the best outcome of this topic.
^^ heart mika tomasz
`,
  },
  {
    in: ['sensor-specs', 'pressure range'],
    ends: '5d 15:40',
    script: String.raw`
@odhran: Dumb question. The P410 comes as 10 m and 20 m. The tide is 3 m. Why not the smaller one, always?
@tomasz 9: Not dumb. Depth of the mount + tide + surge + waves. Gauge 5 hangs at 6 m:
$$6 + 1.6 + 0.7 + \frac{3}{2} = 9.8\ \text{m}$$
@odhran 2: So 10 m is enough, with a hair of room.
@tomasz 4: And it survives twice its range. But it does not *measure* above it, it just says 10.000 and smiles.
^^ joy ines odhran
@keiko 30: For 5 the 20 m one, please. A surge that goes off the scale is the only one anybody will ever ask about.
^^ 100 tomasz odhran maren
`,
  },
]
