export const folders = ['Fieldwork', 'Data', 'Hut life'] as const

/** A channel of the demo. */
export interface DemoChannel {
  readonly name: string
  readonly description: string
  readonly folder: (typeof folders)[number] | null
  readonly kind?: 'private' | 'web-public' | 'announcement' | 'archived'
  /** Keys of the subscribers; if absent, everybody. */
  readonly members?: string
}

/** The channels of a coastal survey group. */
export const channels: readonly DemoChannel[] = [
  {
    name: 'tide-gauges',
    description: 'Loggers, datums and swaps for the eight gauges between Ness and Holm',
    folder: 'Fieldwork',
  },
  {
    name: 'north-flats',
    description: 'Sediment, quadrats and everything that lives in the mud',
    folder: 'Fieldwork',
    members: 'maren hanne amaru beatriz ines odhran solveig priya mika tomasz keiko lucian',
  },
  {
    name: 'bird-counts',
    description: 'Roosts, rings and the winter census',
    folder: 'Fieldwork',
    members: 'maren solveig amaru beatriz hanne lucian odhran yusuf aroha keiko tomasz',
  },
  {
    name: 'boat-and-safety',
    description: 'Launches, checks and who is on the water',
    folder: 'Fieldwork',
    kind: 'private',
    members: 'maren odhran hanne yusuf keiko tomasz nils ines',
  },
  {
    name: 'announcements',
    description: 'News from the coordinators',
    folder: null,
    kind: 'announcement',
  },
  {
    name: 'pipeline',
    description: 'Imports, checks and nightly jobs',
    folder: 'Data',
    members: 'maren priya lucian keiko ravi tomasz ines aroha',
  },
  {
    name: 'maps',
    description: 'Layers, tiles and field maps',
    folder: 'Data',
    members: 'maren lucian priya hanne aroha beatriz',
  },
  {
    name: 'sensor-specs',
    description: 'Data sheets and firmware, open to everybody',
    folder: 'Data',
    kind: 'web-public',
    members: 'maren tomasz ines keiko ravi priya odhran mika',
  },
  {
    name: 'papers',
    description: 'Drafts, reviewers and references',
    folder: 'Data',
    members: 'maren keiko lucian priya aroha solveig tomasz',
  },
  {
    name: 'kitchen',
    description: 'What is for dinner at the hut',
    folder: 'Hut life',
    members: 'maren yusuf nils beatriz hanne odhran solveig amaru tomasz mika ines',
  },
  {
    name: 'hut-repairs',
    description: 'Roof, stove and the door that sticks',
    folder: 'Hut life',
    members: 'maren nils tomasz yusuf hanne odhran beatriz',
  },
  {
    name: 'old-survey-2019',
    description: 'The first survey, kept for reading',
    folder: null,
    kind: 'archived',
    members: 'maren keiko tomasz odhran lucian hanne',
  },
  {
    name: 'stores',
    description: 'What there is, where it is, and who has it',
    folder: 'Hut life',
    members: 'maren nils hanne odhran yusuf tomasz beatriz ines',
  },
  {
    name: 'new-arrivals',
    description: 'Say hello, ask anything',
    folder: null,
  },
  // Maren is in all others, so these are left for her to join.
  {
    name: 'seal-watch',
    description: 'Pups, haul-outs and how close is too close',
    folder: 'Fieldwork',
    members: 'hanne amaru beatriz odhran aroha mika',
  },
  {
    name: 'sea-swimming',
    description: 'Who goes in, where and when',
    folder: 'Hut life',
    members: 'solveig nils aroha yusuf',
  },
]
