/** A conversation that teammates have while the demo runs. */
export interface Scene {
  readonly in: readonly [channel: string, topic: string] | { readonly people: string }
  /** See `parseScript`; the teammates decide the time between lines. */
  readonly script: string
}

/** In this order, one line about every half minute. Nobody waits for Maren, and she may join in at any time. */
export const scenes: readonly Scene[] = [
  {
    in: ['tide-gauges', 'gauge 4 offset drift'],
    script: String.raw`
@odhran: Just tied up at gauge 4, for a first look from the boat. The clamp on the seaward side has a drip under it.
@ines: Then it’s the seaward side again. Same as in March!
^^ eyes keiko tomasz
@odhran: I’m not opening anything before low water. But here it is, as promised. \
[The seaward clamp](demo:clamp)
^^ astonished ines keiko
@keiko: And from here, logger minus board for a week. [The drift](demo:drift)
The numbers, for whoever wants to fit a line: [gauge-4-week.csv](demo:week)
`,
  },
  {
    in: { people: 'maren keiko' },
    script: String.raw`
@keiko: No hurry with section 5, I only wanted to say: the school in Holm asked whether Mika could come along to the talk.
`,
  },
  {
    in: ['bird-counts', 'roost count Sunday'],
    script: String.raw`
@solveig: I looked at my sheet again. The 1,980 is from before the crossing, so both of us were right. I love it when that happens.
@amaru: so 2,140 and a note. done?
^^ thumbs_up beatriz
@solveig: Done from my side. @**Maren Aske** yours is the number in the record, if you agree.
@beatriz: And the peregrine gets a footnote of its own. It earned it.
^^ joy amaru solveig
^^ dunlin amaru
@solveig: And this is what 2,140 of them sound like when two come close to the hide. :dunlin: \
![dunlin-over-the-hide.wav](demo:trill)
^^ dunlin beatriz amaru
`,
  },
  {
    in: ['pipeline', 'nightly import fails on empty files'],
    script: String.raw`
@priya: Merged. Tonight’s run will be the first one with it, I’ll look at it at two in the morning like a fool.
@lucian: You have an alarm for that.
@priya: I trust the alarm. I’d only like to *see* it not ring.
^^ joy lucian
@ravi: While you’re awake: 2.8.1 is out for everybody, so from next week you may not even see an empty file again.
^^ tada priya lucian
`,
  },
  {
    in: ['kitchen', 'shopping for Saturday'],
    script: String.raw`
@beatriz: Cumin alarm is over, I found a jar behind the flour. It says 2019. Does cumin go off?
@nils: Cumin can’t go off. It only becomes quieter.
^^ joy yusuf beatriz
@yusuf: Bring new cumin. Quiet cumin is for quiet lentils.
`,
  },
  {
    in: { people: 'maren odhran' },
    script: String.raw`
@odhran: The harbour moved us one berth along, so look for the launch on the left of the crane this week.
@odhran: And I’ve packed the spare tube for gauge 4. Two, in fact, I know us.
`,
  },
  {
    in: ['boat-and-safety', 'Thursday launch'],
    script: String.raw`
@hanne: Flares collected, four red, two smoke, all good for three years. They’re in the orange box already.
^^ pray odhran
@odhran: Grand. New forecast has the wind an hour later, so 11:40 stands.
@ines: The medal and I will be there at 11:20. :low_water: is at 13:05, so we have time for coffee.
^^ joy hanne odhran
`,
  },
  {
    in: ['north-flats', 'quadrats 12 to 18'],
    script: String.raw`
@amaru: seal update. it left. it looked at my clipboard and left
^^ joy beatriz hanne
@hanne: Then 16 today after all. Mika, do you want to hold the frame?
@beatriz: Mika is nodding very hard, I’m typing for both of us. 18 is done: 29 casts, 540 snails, 6 cockles.
@hanne: @_**Maren Aske** the small sieve can stay in your locker until tomorrow, we washed 12 with the hand pump.
`,
  },
  {
    in: ['sensor-specs', 'logger firmware 2.8'],
    script: String.raw`
@tomasz: Flashed DT-0402 with 2.8.1 and did the nasty thing: battery out *while* it writes. Three times.
@ravi: And?
@tomasz: It came back, said \`supply lost, record 4411 kept\`, and went on. I’m a little bit in love.
^^ heart ravi ines
`,
  },
  {
    in: ['maps', 'new bathymetry tiles'],
    script: String.raw`
@aroha: Took sheet 12S with me on the train. Opens in a second, and I have no coast within 200 km to use it on.
^^ joy lucian beatriz
@lucian: @**Maren Aske** the hazard layer has the new soft strip now. Could you walk past it with the map open and tell me whether the line is in the right place?
`,
  },
  {
    in: ['hut-repairs', 'the door'],
    script: String.raw`
@tomasz: Measured again with the long tape: the south-east corner is 21 mm low. That’s your door.
@nils: Then two planks and a jack it is. I have written the word “jack” on a piece of paper and put it where money is.
^^ joy tomasz yusuf
@beatriz: Until then the rule is: nobody closes it when somebody small is inside.
`,
  },
  {
    in: { people: 'maren ines tomasz' },
    script: String.raw`
@ines: The van people called. It’s the *long* one, so the frame fits without taking it apart.
@tomasz: And who parks the long one at the harbour?
@ines: You navigate, I drive, Maren looks in the other direction.
^^ joy tomasz
`,
  },
  {
    in: ['bird-counts', 'ringing night rota'],
    script: String.raw`
@hanne: Wind is down to 3 m/s for tonight. Wednesday looks good as well.
@beatriz: Soup is on the stove. Red torches are charged. I’ve never been this ready.
^^ tada solveig
@solveig: Net round every twenty minutes, please, and the first one at dusk. Wrens first, always.
`,
  },
  {
    in: ['tide-gauges', 'battery swap rota'],
    script: String.raw`
@tomasz: I could take 5 on the way back from the calibration, if Odhran drops me at the ladder.
@odhran: I drop people at ladders for a living. Bring the battery in a dry bag, not in a carrier bag.
@keiko: Thank you both. Then everything but 4 is done this week, and 4 has its own story.
^^ thumbs_up tomasz odhran ines
`,
  },
]
