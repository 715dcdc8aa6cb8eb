import { setTopicPolicy } from '../channels/topic-policies.ts'
import { putSetting } from '../people/settings.ts'
import type { Workspace } from '../workspace.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const muted = 1
const followed = 3

const snippets = [
  ['Launch check', 'Fuel, radio, flares, kill cord. Back by dusk, next call at …'],
  [
    'Gauge visit',
    '* wind and swell:\n* board against logger:\n* battery:\n* what was changed, with serials:\n* closed at:',
  ],
  ['Soft ground', 'It shines, and nothing lives on it. If the worms don’t trust it, you don’t either.'],
] as const

/** Who is active when the demo starts, and how long ago they last touched a key. */
const about = [
  ['keiko', 0],
  ['ines', 1],
  ['tomasz', 2],
  ['odhran', 0],
  ['priya', 1],
  ['beatriz', 2],
  ['hanne', 12],
  ['lucian', 25],
] as const

/** What belongs to Maren alone: drafts, snippets, followed topics, settings; and who is active just now. */
export function addPersonal(
  workspace: Workspace,
  userId: (key: string) => number,
  channelId: (name: string) => number,
): void {
  const { db } = workspace
  const now = workspace.now()
  const maren = userId('maren')
  const draft = (type: string, to: number[], topic: string, content: string, age: number) =>
    db.run(
      'INSERT INTO drafts (user_id, type, recipients, topic, content, timestamp) VALUES (?, ?, ?, ?, ?, ?)',
      maren,
      type,
      JSON.stringify(to),
      topic,
      content,
      now - age,
    )
  draft(
    'stream',
    [channelId('north-flats')],
    'quadrats 12 to 18',
    'Sediment cores from 12 and 13 are labelled N12-a, N12-b, N13-a. I dropped the lid of',
    hour,
  )
  draft(
    'private',
    [userId('odhran')],
    '',
    'If the wind does back early, would you rather we walked out to the ford and',
    150 * minute,
  )
  draft('', [], '', 'Shopping for Saturday: 2 kg oats, lamp oil, the good coffee', day)
  for (const [title, content] of snippets) {
    db.run(
      'INSERT INTO saved_snippets (user_id, title, content, date_created) VALUES (?, ?, ?, ?)',
      maren,
      title,
      content,
      now - 40 * day,
    )
  }
  for (const [channel, topic, policy] of [
    ['tide-gauges', 'gauge 4 offset drift', followed],
    ['bird-counts', 'roost count Sunday', followed],
    ['boat-and-safety', 'Thursday launch', followed],
    ['tide-gauges', 'tide tables', muted],
    ['boat-and-safety', 'weather', muted],
    ['kitchen', 'who took the big pot', muted],
  ] as const) {
    setTopicPolicy(workspace, maren, channelId(channel), topic, policy)
  }
  putSetting(db, maren, 'twenty_four_hour_time', true)
  for (const [key, minutes] of about) {
    db.run(
      'INSERT OR REPLACE INTO presence VALUES (?, ?, ?, 0)',
      userId(key),
      now - minutes * minute,
      now - 10,
    )
  }
}
