import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createUser, newApiKey } from '../../src-server/people/accounts.ts'
import { createChannel } from '../../src-server/channels/channels.ts'
import { systemClock } from '../../src-shared/clock/clock.ts'
import { openDatabase } from '../../src-server/database.ts'
import { seedDemo } from '../../src-server/demo/index.ts'
import { foundOrganization } from '../../src-server/organization/found-organization.ts'
import { writeMessage, type Target } from '../../src-server/messages/messages.ts'
import { addSubscriber } from '../../src-server/channels/subscriptions.ts'
import { channelById, userById, type UserRow, type Workspace } from '../../src-server/workspace.ts'
import { createWorkspace } from '../../src-server/create-workspace.ts'
import { testConfiguration } from '../support/configuration.ts'

/** Large amounts of everything, and the longest names that the service accepts. */
export const extremes = {
  people: 10_000,
  channels: 2_000,
  topicMessages: 20_000,
  organization: 'Skerry Coast Survey, the Northern Isles and everything between Ness and Holm',
  /** 60 characters without a place to break. */
  channel: 'all-of-the-observations-that-nobody-has-looked-at-since-2019',
  /** 60 characters without a space. */
  topic: 'Sedimentablagerungsgeschwindigkeitsmessungsprotokollanhänge8',
  /** 100 characters. */
  person:
    'Aurelia Wilhelmina Konstantinopolitanska-Featherstonehaugh of the Northernmost Tidal Survey Stations',
  /** 100 characters without a space. */
  unbroken: `A${'aeiou'.repeat(19)}zwxy`,
  longTopic: 'twenty thousand readings',
} as const

/** The places of the extremes, as in an address after the account. */
export interface Extremes {
  readonly topicPlace: string
  readonly longTopicPlace: string
  readonly directPlace: string
}

/** Messages that are wider than the window; 10,000 characters unless stated otherwise. */
const wideMessages: readonly string[] = [
  'x'.repeat(10_000),
  `\`\`\`python\n${'level = read_gauge(4, "outer harbour") + offset * drift  # '.repeat(6)}\n${'a = 1\n'.repeat(300)}\`\`\``,
  [
    `| ${Array.from({ length: 30 }, (_, column) => `Column ${column}`).join(' | ')} |`,
    `|${' --- |'.repeat(30)}`,
    `| ${Array.from({ length: 30 }, (_, column) => `reading ${column * 37}`).join(' | ')} |`,
  ].join('\n'),
  `${Array.from({ length: 12 }, (_, depth) => `${'>'.repeat(12 - depth)} a quote inside ${12 - depth}`).join('\n\n')}\n\nDeep.`,
  `$$ ${'\\sum_{i=0}^{n} x_i + '.repeat(30)} y $$`,
  `https://example.org/${'a-very-long-path/'.repeat(30)}?and=${'z'.repeat(200)}`,
  `/poll ${'Where shall we put the seventh gauge of the outer harbour? '.repeat(3)}\n${'Unbreakable'.repeat(12)}\n${'A long choice of words '.repeat(8)}`,
  `${'- '.repeat(1)}one\n  - two\n    - three\n      - four\n        - five ${'deep '.repeat(40)}`,
  `# ${'A heading that goes on and on '.repeat(6)}\n\`${'inline_code_without_blanks_'.repeat(10)}\``,
]

/** Fills an empty service directory with the demo organization, under long names and with wide messages. */
export function seedExtremes(directory: string): Extremes {
  return inWorkspace(directory, (workspace) => {
    seedDemo(workspace)
    return addLongNames(workspace)
  })
}

/** The same with large numbers of everything. */
export function seedMultitude(directory: string): Extremes {
  return inWorkspace(directory, (workspace) => {
    seedDemo(workspace)
    const places = addLongNames(workspace)
    addMultitude(workspace)
    return places
  })
}

/** The smallest organization: one person who has just joined. */
export function seedNothing(directory: string): { email: string; password: string } {
  return inWorkspace(directory, (workspace) => {
    const { email, password } = foundOrganization(workspace)
    return { email, password }
  })
}

function inWorkspace<T>(directory: string, fill: (workspace: Workspace) => T): T {
  mkdirSync(directory, { recursive: true })
  const database = openDatabase(join(directory, 'workspace.db'), 'kill')
  const workspace = createWorkspace({
    database,
    clock: systemClock,
    rateLimit: null,
    featureLevel: 420,
    configuration: testConfiguration(directory),
    log: () => {},
  })
  try {
    return database.transaction(() => fill(workspace))
  } finally {
    database.close()
  }
}

function addLongNames(workspace: Workspace): Extremes {
  const { db } = workspace
  const now = workspace.now()
  db.run(`UPDATE realm SET value = ? WHERE name = 'name'`, extremes.organization)
  const user = (id: number) => {
    const row = userById(db, id)
    if (row === undefined) throw new Error(`nobody has the id ${id}`)
    return row
  }
  const maren = user(db.get<{ id: number }>('SELECT min(user_id) AS id FROM users')?.id ?? 0)
  const names = [extremes.person, extremes.unbroken, ...Array.from({ length: 27 }, (_, n) => `Surveyor ${n}`)]
  const people = names.map((fullName, index) =>
    createUser(workspace, { fullName, email: `long-${index}@example.org`, role: 400, password: null }),
  )
  for (const { user_id } of people)
    db.run('INSERT INTO presence VALUES (?, ?, ?, ?)', user_id, now, now, user_id)
  const channel = createChannel(workspace, maren, {
    name: extremes.channel,
    description: 'What everybody means to look at, one day, when there is time. '.repeat(12),
  })
  const [longName, unbroken] = people as [UserRow, UserRow]
  for (const person of [maren, longName, unbroken]) addSubscriber(workspace, person, channel)
  const say = (index: number, target: Target, content: string) =>
    writeMessage(workspace, {
      sender: index % 2 === 0 ? longName : unbroken,
      target,
      content,
      sentAt: now - 600 + index,
    })
  const topic = { kind: 'channel', channel, topic: extremes.topic } as const
  wideMessages.forEach((content, index) => say(index, topic, content))
  say(
    90,
    topic,
    `@**${maren.full_name}** @**${longName.full_name}** and #**${channel.name}>${extremes.topic}**`,
  )
  const group = [maren, ...people].map(({ user_id }) => user_id)
  say(91, { kind: 'direct', userIds: group }, 'All thirty of us.')
  say(93, { kind: 'direct', userIds: [maren.user_id, unbroken.user_id] }, 'x'.repeat(300))
  // In a place that many screens show.
  const gauge = channelById(db, 1)
  if (gauge !== undefined)
    say(95, { kind: 'channel', channel: gauge, topic: 'gauge 4 offset drift' }, 'Noted. '.repeat(40))
  const topicPlace = (name: string) => `channel/${channel.channel_id}/topic/${encodeURIComponent(name)}`
  return {
    topicPlace: topicPlace(extremes.topic),
    longTopicPlace: topicPlace(extremes.longTopic),
    directPlace: `direct/${group.slice(1).join(',')}`,
  }
}

function addMultitude(workspace: Workspace): void {
  const { db } = workspace
  const now = workspace.now()
  const own = db.get<{ id: number }>('SELECT min(user_id) AS id FROM users')?.id ?? 0
  for (let index = 0; index < extremes.people; index++)
    db.run(
      `INSERT INTO users (email, delivery_email, full_name, role, api_key, timezone, date_joined)
       VALUES (?, ?, ?, 400, ?, '', ?)`,
      `many-${index}@example.org`,
      `many-${index}@example.org`,
      `Observer number ${index}`,
      newApiKey(),
      now,
    )
  for (let index = 0; index < extremes.channels; index++) {
    const { lastId } = db.run(
      `INSERT INTO channels (name, description, creator_id, date_created) VALUES (?, '', ?, ?)`,
      `survey ${index}`,
      own,
      now,
    )
    db.run('INSERT INTO subscriptions (user_id, channel_id) VALUES (?, ?)', own, lastId)
  }
  const channelId = db.get<{ channel_id: number }>(
    'SELECT channel_id FROM channels WHERE name = ?',
    extremes.channel,
  )?.channel_id
  for (let index = 0; index < extremes.topicMessages; index++) {
    const content = `Reading ${index}: ${'the level is as it was. '.repeat(index % 7)}`
    const { lastId } = db.run(
      `INSERT INTO messages (sender_id, channel_id, topic, topic_key, content, rendered, sent_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      own,
      channelId ?? 0,
      extremes.longTopic,
      extremes.longTopic,
      content,
      `<p>${content}</p>`,
      now - 500,
    )
    db.run('INSERT INTO user_messages (user_id, message_id, is_read) VALUES (?, ?, 1)', own, lastId)
  }
  db.run('ANALYZE')
}
