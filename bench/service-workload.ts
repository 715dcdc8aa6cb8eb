import { daySeconds } from '../src-shared/durations.ts'
import { newApiKey } from '../src-server/people/accounts.ts'
import type { Workspace } from '../src-server/workspace.ts'
import { randomFrom, word, zipf } from './workload.ts'

/** What the benchmarks need to know about a filled service. */
export interface FilledService {
  readonly people: readonly { userId: number; email: string; apiKey: string }[]
  /** The channels of the first person with the most messages. */
  readonly topics: readonly { channelId: number; topic: string }[]
  /** Two words that are adjacent in some messages. */
  readonly search: string
  /** A conversation of the first person and nine others. */
  readonly smallChannelId: number
}

const [people, channels, topics] = [10_000, 2_000, 50_000]
const ownChannels = 400

/** Fills a service with a large organization: 10,000 people, 2,000 channels, 50,000 topics. */
export function fillService({ db, now }: Workspace, messages: number): FilledService {
  const random = randomFrom(7)
  const joined = now() - 300 * daySeconds
  const made: { userId: number; email: string; apiKey: string }[] = []
  db.transaction(() => {
    for (let index = 0; index < people; index++) {
      const email = `person-${index}@example.org`
      const apiKey = newApiKey(random)
      const { lastId } = db.run(
        `INSERT INTO users (email, delivery_email, full_name, role, api_key, timezone, date_joined)
         VALUES (?, ?, ?, 400, ?, 'Europe/Berlin', ?)`,
        email,
        email,
        `${word(index)} ${word(index * 7)}`,
        apiKey,
        joined,
      )
      if (index % 3 === 0) {
        const seen = now() - 60 * index
        db.run('INSERT INTO presence VALUES (?, ?, ?, ?)', lastId, seen, seen, index)
      }
      made.push({ userId: lastId, email, apiKey })
    }
    for (let channel = 1; channel <= channels; channel++) {
      db.run(
        `INSERT INTO channels (name, description, is_private, creator_id, date_created) VALUES (?, ?, ?, ?, ?)`,
        `channel ${word(channel)} ${channel}`,
        `What belongs to ${word(channel)}.`,
        channel % 10 === 0 ? 1 : 0,
        made[0]?.userId ?? 1,
        joined,
      )
    }
  })
  const ids = db.all<{ channel_id: number }>('SELECT channel_id FROM channels ORDER BY channel_id')
  const channelIds = ids.map((row) => row.channel_id)
  const smallChannelId = channelIds.at(-1) ?? 0
  const anyChannel = zipf(channels - 1, random)
  const subscribers = new Map<number, number[]>()
  const subscribe = (userId: number, channelId: number) => {
    const list = subscribers.get(channelId) ?? []
    if (list.includes(userId)) return
    list.push(userId)
    subscribers.set(channelId, list)
    db.run('INSERT INTO subscriptions (user_id, channel_id) VALUES (?, ?)', userId, channelId)
  }
  const own = made[0]?.userId ?? 1
  db.transaction(() => {
    for (let index = 0; index < ownChannels; index++) subscribe(own, channelIds[index] ?? 0)
    for (const { userId } of made.slice(1))
      for (let turn = 0; turn < 8; turn++) subscribe(userId, channelIds[anyChannel()] ?? 0)
    for (const { userId } of made.slice(0, 10)) subscribe(userId, smallChannelId)
  })
  const topicPlaces = Array.from({ length: topics }, (_, index) => {
    const channelId = channelIds[index < channels ? index : anyChannel()] ?? 0
    return { channelId, topic: `${word(index)} ${index}` }
  })
  const anyTopic = zipf(topics, random)
  const anyPerson = zipf(people, random)
  const anyWord = zipf(30_000, random)
  const counts = new Map<number, number>()
  const ownSet = new Set(channelIds.slice(0, ownChannels))
  const step = Math.max(1, Math.floor((300 * daySeconds) / messages))
  for (let done = 0; done < messages;) {
    db.transaction(() => {
      for (const end = Math.min(messages, done + 10_000); done < end; done++) {
        const place = anyTopic()
        counts.set(place, (counts.get(place) ?? 0) + 1)
        const { channelId, topic } = topicPlaces[place] ?? { channelId: 0, topic: '' }
        const content = Array.from({ length: 6 + Math.floor(random() * 30) }, () => word(anyWord())).join(' ')
        const { lastId } = db.run(
          `INSERT INTO messages (sender_id, channel_id, topic, topic_key, content, rendered, sent_at)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
          made[anyPerson()]?.userId ?? own,
          channelId,
          topic,
          topic,
          content,
          `<p>${content}</p>`,
          joined + done * step,
        )
        db.run('INSERT INTO message_words (rowid, words) VALUES (?, ?)', lastId, `${content} ${topic}`)
        if (ownSet.has(channelId)) {
          db.run(
            'INSERT INTO user_messages (user_id, message_id, is_read) VALUES (?, ?, ?)',
            own,
            lastId,
            done > messages - 5_000 ? 0 : 1,
          )
        }
      }
    })
  }
  db.run('ANALYZE')
  const largest = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([index]) => topicPlaces[index])
    .filter((place) => place !== undefined)
    .filter(({ channelId }) => ownSet.has(channelId))
  return { people: made, topics: largest.slice(0, 50), search: `${word(40)} ${word(90)}`, smallChannelId }
}
