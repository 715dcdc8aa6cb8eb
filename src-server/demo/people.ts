import { roles } from '../../src-shared/roles.ts'
/** A person's style of writing: phrases and punctuation to put around what they say. */
export interface Voice {
  /** Before the first message about a matter. */
  readonly opens: readonly string[]
  /** Before an answer. */
  readonly answers: readonly string[]
  /** After the last message. */
  readonly closes: readonly string[]
  /** Never starts with a capital letter. */
  readonly isLowerCase?: boolean
}

/** A person of the demo. */
export interface DemoPerson {
  /** The person's name in scripts. */
  readonly key: string
  readonly name: string
  readonly role: (typeof roles)[keyof typeof roles]
  readonly timezone: string
  readonly voice: Voice
}

const plain: Voice = { opens: [], answers: [], closes: [] }

/** The people of the demo workspace. Maren comes first: the demo signs in as her. */
export const people: readonly DemoPerson[] = [
  {
    key: 'maren',
    name: 'Maren Aske',
    role: roles.moderator,
    // She is the person at this machine.
    timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    voice: { opens: ['Short one.'], answers: ['Good.', 'Agreed.'], closes: ['Thank you all.'] },
  },
  {
    key: 'keiko',
    name: 'Keiko Tamura',
    role: roles.owner,
    timezone: 'Asia/Tokyo',
    voice: { opens: ['For the log.'], answers: ['Understood.', 'Noted.'], closes: ['I have noted it.'] },
  },
  {
    key: 'tomasz',
    name: 'Tomasz Wilk',
    role: roles.administrator,
    timezone: 'Europe/Warsaw',
    voice: {
      opens: ['So.'],
      answers: ['Hm.', 'Right, yes.'],
      closes: ['Easy.', 'Back to the soldering iron.'],
    },
  },
  {
    key: 'odhran',
    name: 'Odhran Keane',
    role: roles.moderator,
    timezone: 'Europe/Dublin',
    voice: { opens: ['Right so.'], answers: ['Grand.', 'Sure.'], closes: ['Mind yourselves.', ':sailboat:'] },
  },
  {
    key: 'ines',
    name: 'Ines Duarte',
    role: roles.member,
    timezone: 'Europe/Lisbon',
    voice: { opens: ['Hello from the bench.'], answers: ['Ah!', 'Perfect.'], closes: ['Thanks!', ':ocean:'] },
  },
  {
    key: 'hanne',
    name: 'Hanne Berg',
    role: roles.member,
    timezone: 'Europe/Oslo',
    voice: { opens: [], answers: ['Yep.', 'Fine.'], closes: ['Done with it.'] },
  },
  {
    key: 'priya',
    name: 'Priya Nair',
    role: roles.member,
    timezone: 'Asia/Kolkata',
    voice: {
      opens: ['Quick one.'],
      answers: ['Makes sense.', 'Checked.'],
      closes: [':mag:', 'Will follow up.'],
    },
  },
  {
    key: 'amaru',
    name: 'Amaru Quispe',
    role: roles.member,
    timezone: 'America/Lima',
    voice: {
      opens: ['hey.'],
      answers: ['ok.', 'cool.'],
      closes: ['more when i have signal'],
      isLowerCase: true,
    },
  },
  {
    key: 'beatriz',
    name: 'Beatriz Lobo',
    role: roles.member,
    timezone: 'America/Sao_Paulo',
    voice: { opens: ['Hi hi!'], answers: ['Oh nice!', 'Yes!'], closes: [':sunflower:', 'Love it.'] },
  },
  {
    key: 'lucian',
    name: 'Lucian Stan',
    role: roles.member,
    timezone: 'Europe/Bucharest',
    voice: { opens: ['A note.'], answers: ['Correct.', 'Thank you.'], closes: ['Numbers are in the sheet.'] },
  },
  {
    key: 'solveig',
    name: 'Solveig Moen',
    role: roles.member,
    timezone: 'Europe/Oslo',
    voice: { opens: ['From the hide.'], answers: ['Lovely.', 'I saw that too.'], closes: [':bird:'] },
  },
  {
    key: 'yusuf',
    name: 'Yusuf Demir',
    role: roles.member,
    timezone: 'Europe/Istanbul',
    voice: { opens: ['Breaking news.'], answers: ['Ha.', 'Of course.'], closes: ['You are welcome, world.'] },
  },
  {
    key: 'aroha',
    name: 'Aroha Ngata',
    role: roles.member,
    timezone: 'Pacific/Auckland',
    voice: { opens: ['Evening here.'], answers: ['Sweet.', 'Good as.'], closes: ['Night all.'] },
  },
  {
    key: 'nils',
    name: 'Nils Haugen',
    role: roles.member,
    timezone: 'Europe/Oslo',
    voice: {
      opens: ['Stores here.'],
      answers: ['Well.', 'It is possible.'],
      closes: ['Sign the list, please.'],
    },
  },
  { key: 'ravi', name: 'Ravi Menon', role: roles.member, timezone: 'Europe/London', voice: plain },
  { key: 'mika', name: 'Mika Sund', role: roles.guest, timezone: 'Europe/Helsinki', voice: plain },
]

/** Generic, incoming webhook, outgoing webhook. */
export const bots = [
  { key: 'tidebot', name: 'Tide bot', type: 1 },
  { key: 'weather', name: 'Weather feed', type: 2 },
  { key: 'rota', name: 'Rota helper', type: 3 },
] as const

/** Groups that people mention; members by key. */
export const groups = [
  {
    name: 'observers',
    description: 'Everybody who counts',
    members: 'maren tomasz ines hanne solveig amaru',
  },
  {
    name: 'gauge-team',
    description: 'Tide gauge maintenance',
    members: 'maren keiko tomasz ines odhran priya',
  },
  { name: 'boat-crew', description: 'Cleared to drive the launch', members: 'odhran hanne maren yusuf' },
  { name: 'counters', description: 'Sunday roost counts', members: 'solveig maren amaru beatriz hanne' },
  { name: 'data', description: 'Pipeline, maps, exports', members: 'priya lucian keiko ravi' },
  { name: 'hut-week', description: 'Rotates every Monday', members: 'nils yusuf beatriz' },
] as const
