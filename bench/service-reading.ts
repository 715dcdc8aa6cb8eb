import { compare, type Contender, type Line } from './measure.ts'
import { bare, bareGet, callerOf, repeated, type Bench } from './service-http.ts'

export async function registering(
  bench: Bench,
  rounds: number,
  _facts: string[],
  say: (line: string) => void,
): Promise<Line[]> {
  say('registering')
  const { url, filled } = bench
  const [who] = filled.people
  if (who === undefined) return []
  const caller = callerOf(url, who)
  const fields = {
    apply_markdown: 'true',
    client_capabilities: JSON.stringify({
      notification_settings_null: true,
      bulk_message_deletion: true,
      user_settings_object: true,
      archived_channels: true,
      empty_topic_name: true,
      simplified_presence_events: true,
    }),
  }
  const state: unknown = JSON.parse(await caller.post('/register', fields))
  const floor = await bare(() => state)
  const lines = await compare('registering: 10,000 people, 2,000 channels, 50,000 topics', rounds, [
    { name: 'the same JSON, serialized', run: () => repeated(4, () => bareGet(`${floor.url}/`)) },
    { name: 'Dunlin', run: () => repeated(4, () => caller.post('/register', fields)) },
  ])
  await floor.close()
  return lines
}

interface BareRow {
  readonly message_id: number
  readonly sender_id: number
  readonly channel_id: number
  readonly topic: string
  readonly rendered: string
  readonly sent_at: number
  readonly client: string
  readonly full_name: string
  readonly email: string
  readonly avatar_version: number
  readonly is_read: number
}

/** A row with the fields of the Message object, and nothing computed. */
const bareMessage = (row: BareRow) => ({
  id: row.message_id,
  type: 'stream',
  content: row.rendered,
  content_type: 'text/html',
  timestamp: row.sent_at,
  sender_id: row.sender_id,
  sender_email: row.email,
  sender_full_name: row.full_name,
  sender_realm_str: '',
  avatar_url: `/avatar/${row.sender_id}?version=${row.avatar_version}`,
  client: row.client,
  display_recipient: 'channel',
  stream_id: row.channel_id,
  subject: row.topic,
  recipient_id: row.channel_id,
  is_me_message: false,
  flags: row.is_read === 1 ? ['read'] : [],
  reactions: [],
  submessages: [],
  topic_links: [],
})

export async function reading(
  bench: Bench,
  rounds: number,
  _facts: string[],
  say: (line: string) => void,
): Promise<Line[]> {
  say('reading')
  const { db, url, filled } = bench
  const [who] = filled.people
  if (who === undefined) return []
  const caller = callerOf(url, who)
  const columns = `m.message_id, m.sender_id, m.channel_id, m.topic, m.rendered, m.sent_at, m.client,
    u.full_name, u.email, u.avatar_version, um.is_read`
  const joins = `messages m JOIN users u ON u.user_id = m.sender_id
    LEFT JOIN user_messages um ON um.message_id = m.message_id AND um.user_id = ${who.userId}`
  const floors: Record<string, (index: number) => BareRow[]> = {
    topic: (index) =>
      db.all<BareRow>(
        `SELECT ${columns} FROM ${joins} WHERE m.channel_id = ? AND m.topic_key = ? ORDER BY m.message_id DESC LIMIT 100`,
        filled.topics[index % filled.topics.length]?.channelId ?? 0,
        filled.topics[index % filled.topics.length]?.topic ?? '',
      ),
    channel: (index) =>
      db.all<BareRow>(
        `SELECT ${columns} FROM ${joins} WHERE m.channel_id = ? ORDER BY m.message_id DESC LIMIT 100`,
        filled.topics[index % filled.topics.length]?.channelId ?? 0,
      ),
    all: () =>
      db.all<BareRow>(
        `SELECT ${columns} FROM user_messages own CROSS JOIN ${joins.replace('messages m', 'messages m')}
         WHERE own.user_id = ${who.userId} AND m.message_id = own.message_id ORDER BY own.message_id DESC LIMIT 100`,
      ),
    search: () =>
      db.all<BareRow>(
        `SELECT ${columns} FROM ${joins} WHERE um.user_id IS NOT NULL AND m.message_id IN
           (SELECT rowid FROM message_words WHERE message_words MATCH ?) ORDER BY m.message_id DESC LIMIT 100`,
        filled.search
          .split(' ')
          .map((word) => `"${word}"`)
          .join(' AND '),
      ),
  }
  const floor = await bare((path) => {
    const [, kind = '', index = '0'] = path.split('/')
    return { result: 'success', msg: '', messages: (floors[kind]?.(Number(index)) ?? []).map(bareMessage) }
  })
  const narrows: Record<string, (index: number) => object[]> = {
    topic: (index) => [
      { operator: 'channel', operand: filled.topics[index % filled.topics.length]?.channelId },
      { operator: 'topic', operand: filled.topics[index % filled.topics.length]?.topic },
    ],
    channel: (index) => [
      { operator: 'channel', operand: filled.topics[index % filled.topics.length]?.channelId },
    ],
    all: () => [],
    search: () => [{ operator: 'search', operand: filled.search }],
  }
  const names = {
    topic: 'newest 100 messages of a topic',
    channel: 'newest 100 messages of a channel',
    all: 'newest 100 messages of everything',
    search: 'newest 100 messages with two words',
  }
  const lines: Line[] = []
  for (const [kind, name] of Object.entries(names)) {
    const contenders: Contender[] = [
      {
        name: 'bare statement, serialized',
        run: (round) => repeated(30, (index) => bareGet(`${floor.url}/${kind}/${round * 30 + index}`)),
      },
      {
        name: 'Dunlin',
        run: (round) =>
          repeated(30, (index) =>
            caller.get('/messages', {
              anchor: 'newest',
              num_before: '100',
              num_after: '0',
              narrow: JSON.stringify(narrows[kind]?.(round * 30 + index) ?? []),
            }),
          ),
      },
    ]
    lines.push(...(await compare(name, rounds, contenders)))
  }
  await floor.close()
  return lines
}
