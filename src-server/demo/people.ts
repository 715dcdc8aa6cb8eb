/** Who is in the demo workspace. Maren comes first: the demo signs in as her. */
export const people = [
  { name: 'Maren Aske', role: 300, timezone: 'Europe/Oslo' },
  { name: 'Keiko Tamura', role: 100, timezone: 'Asia/Tokyo' },
  { name: 'Tomasz Wilk', role: 200, timezone: 'Europe/Warsaw' },
  { name: 'Odhran Keane', role: 300, timezone: 'Europe/Dublin' },
  { name: 'Ines Duarte', role: 400, timezone: 'Europe/Lisbon' },
  { name: 'Hanne Berg', role: 400, timezone: 'Europe/Oslo' },
  { name: 'Priya Nair', role: 400, timezone: 'Asia/Kolkata' },
  { name: 'Amaru Quispe', role: 400, timezone: 'America/Lima' },
  { name: 'Beatriz Lobo', role: 400, timezone: 'America/Sao_Paulo' },
  { name: 'Lucian Stan', role: 400, timezone: 'Europe/Bucharest' },
  { name: 'Solveig Moen', role: 400, timezone: 'Europe/Oslo' },
  { name: 'Yusuf Demir', role: 400, timezone: 'Europe/Istanbul' },
  { name: 'Aroha Ngata', role: 400, timezone: 'Pacific/Auckland' },
  { name: 'Visiting Student', role: 600, timezone: 'Europe/Oslo' },
] as const

/** Generic, incoming webhook, outgoing webhook. */
export const bots = [
  { name: 'Tide bot', type: 1 },
  { name: 'Weather feed', type: 2 },
  { name: 'Rota helper', type: 3 },
] as const

export const folders = ['Fieldwork', 'Data', 'Hut life'] as const

export interface DemoChannel {
  readonly name: string
  readonly description: string
  readonly folder: number | null
  readonly kind?: 'private' | 'web-public' | 'announcement' | 'archived'
  readonly topics: readonly string[]
}

/** Twelve channels of a coastal survey group. */
export const channels: readonly DemoChannel[] = [
  {
    name: 'tide-gauges',
    description: 'Loggers, datums and swaps for the gauges along the coast',
    folder: 0,
    topics: [
      'gauge 4 offset drift',
      'battery swap rota',
      '✔ spring calibration',
      'datum shift',
      'storm surge check',
    ],
  },
  {
    name: 'north-flats',
    description: 'Sediment, quadrats and everything that lives in the mud',
    folder: 0,
    topics: ['ghost nets', 'quadrats 12 to 18', 'core labels', 'lugworm counts'],
  },
  {
    name: 'bird-counts',
    description: 'Roosts, rings and the winter census',
    folder: 0,
    topics: ['roost count Sunday', 'colour rings', 'drone rules near roosts', 'census forms'],
  },
  {
    name: 'boat-and-safety',
    description: 'Launches, checks and who is on the water',
    folder: 0,
    kind: 'private',
    topics: ['Thursday launch', 'radio batteries', 'life jacket service'],
  },
  {
    name: 'announcements',
    description: 'News from the coordinators',
    folder: null,
    kind: 'announcement',
    topics: ['field days', 'welcome'],
  },
  {
    name: 'pipeline',
    description: 'Imports, checks and nightly jobs',
    folder: 1,
    topics: ['nightly import fails on empty files', 'median filter', 'new station ids', 'timestamps in UTC'],
  },
  {
    name: 'maps',
    description: 'Layers, tiles and field maps',
    folder: 1,
    topics: ['contours for the flats', 'offline tiles'],
  },
  {
    name: 'sensor-specs',
    description: 'Data sheets and firmware, open to everybody',
    folder: 1,
    kind: 'web-public',
    topics: ['pressure range', 'firmware 2.3'],
  },
  {
    name: 'papers',
    description: 'Drafts, reviewers and references',
    folder: 1,
    topics: ['surge paper', 'figure 3'],
  },
  {
    name: 'kitchen',
    description: 'What is for dinner at the hut',
    folder: 2,
    topics: ['shopping for Saturday', 'bread'],
  },
  {
    name: 'hut-repairs',
    description: 'Roof, stove and the door that sticks',
    folder: 2,
    topics: ['stove pipe', 'door'],
  },
  {
    name: 'old-survey-2019',
    description: 'The first survey, kept for reading',
    folder: null,
    kind: 'archived',
    topics: ['datum 2019'],
  },
]
