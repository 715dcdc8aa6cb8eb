/** A recurring subject of a channel, with typical conversations about it. */
export interface Subject {
  readonly channel: string
  /** Names of topics, one for each occasion. `{slots}` are drawn once per topic. */
  readonly topics: readonly string[]
  /**
   * Short conversations, separated by lines of `====`, in the form of `parseScript`. The speakers `a`, `b`, `c` are
   * drawn from the channel's people. `{place}` draws from `words`, `{3..9}` draws a number, and `{n=3..9}` draws a
   * number that `{n}` repeats.
   */
  readonly talks: string
  /** Who `a` may be, if not everybody fits. */
  readonly starters?: string
}

/** The words that slots are drawn from. */
export const words: Readonly<Record<string, readonly string[]>> = {
  place: [
    'north spit',
    'old quay',
    'Holm side',
    'bar',
    'second groyne',
    'lagoon mouth',
    'west marsh',
    'ford',
    'outer channel',
    'lighthouse',
  ],
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  wind: ['south-west', 'west', 'north-west', 'south', 'north', 'south-east'],
  bird: [
    'dunlin',
    'knot',
    'curlew',
    'turnstone',
    'grey plover',
    'sanderling',
    'redshank',
    'ringed plover',
    'whimbrel',
  ],
  part: ['vent tube', 'O-ring', 'terminal block', 'cable gland', 'upper clamp', 'lid seal', 'sensor plug'],
  tool: [
    'torque key',
    'long spanner',
    'multimeter',
    'crimping pliers',
    'heat gun',
    'hand pump',
    'spirit level',
    'cordless drill',
  ],
  station: ['Ness', 'Holm', 'Skerry', 'Ford', 'Quay', 'Marsh'],
  sheet: ['12N', '12S', '13N', '13S', '14N', '14S'],
  colour: ['lime', 'white', 'red', 'blue', 'yellow', 'black', 'orange'],
  food: [
    'lentil soup',
    'fish pie',
    'pancakes',
    'bean stew',
    'potato gratin',
    'noodles with everything',
    'barley risotto',
    'onion tart',
    'chickpea curry',
  ],
  shelf: [
    'oats',
    'coffee',
    'lamp oil',
    'matches',
    'salt',
    'rice',
    'flour',
    'tea',
    'washing-up liquid',
    'honey',
  ],
  gear: ['dry bag', 'head torch', 'throw line', 'sieve', 'sledge rope', 'tripod', 'bucket', 'chest pack'],
  broken: [
    'gutter',
    'water pump',
    'window latch',
    'bunk ladder',
    'porch light',
    'shed roof',
    'boot rack',
    'rain barrel',
  ],
}
