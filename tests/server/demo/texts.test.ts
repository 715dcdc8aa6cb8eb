import { expect, test } from 'vitest'
import { openDemo } from './open-demo.ts'

interface Said {
  readonly name: string
  readonly isBot: number
  readonly channel: string | null
  readonly topic: string
  readonly content: string
}

const { workspace } = openDemo()
const { db } = workspace
const all = db.all<Said>(
  `SELECT u.full_name AS name, u.bot_type IS NOT NULL AS isBot, c.name AS channel, m.topic, m.content
   FROM messages m JOIN users u ON u.user_id = m.sender_id LEFT JOIN channels c USING (channel_id)
   ORDER BY m.message_id`,
)
const people = all.filter(({ isBot }) => isBot === 0)
const grouped = (saids: readonly Said[], keyOf: (said: Said) => string) => {
  const groups = new Map<string, Said[]>()
  for (const said of saids) groups.set(keyOf(said), [...(groups.get(keyOf(said)) ?? []), said])
  return [...groups.values()]
}
const repeated = (texts: readonly string[]) => texts.filter((text, index) => texts.indexOf(text) !== index)
/** A text without its numbers: what a template would leave. */
const form = (content: string) => content.toLowerCase().replaceAll(/\d+(?:[.,:]\d+)*/g, '#')
const byTopic = grouped(people, (said) => `${said.channel}>${said.topic}`)

test('nobody says the same again in a topic, not even with other numbers', () => {
  for (const topic of byTopic) {
    const long = topic.map(({ content }) => form(content)).filter((text) => text.length > 14)
    expect(repeated(long), topic[0]?.topic).toEqual([])
  }
})

test('no text comes up often', () => {
  const texts = grouped(people, ({ content }) => form(content))
  expect(Math.max(...texts.map((same) => same.length))).toBeLessThanOrEqual(30)
  expect(texts.filter((same) => same.length > 12).length / texts.length).toBeLessThan(0.05)
})

test('a topic has a name of its own, not a number after another one', () => {
  const topics = db.all<{ topic: string }>('SELECT DISTINCT topic FROM messages WHERE channel_id IS NOT NULL')
  expect(topics.filter(({ topic }) => /\((?:\d+|copy)\)$|[{}]/.test(topic))).toEqual([])
})

test('no slot of a script is left in a text', () => {
  const inProse = all.map(({ content }) =>
    content.replaceAll(/~~~[^]*?~~~|```[^]*?```|\$\$[^]*?\$\$|`[^`]*`/g, ''),
  )
  expect(inProse.filter((text) => /\{[^}]*\}|\^\^ |undefined|NaN/.test(text))).toEqual([])
})

test('topics are conversations: most have several speakers', () => {
  const alone = byTopic.filter((topic) => new Set(topic.map(({ name }) => name)).size === 1)
  expect(alone.length / byTopic.length).toBeLessThan(0.05)
})

test('only subscribers write, and everybody writes', () => {
  const strangers = db.all(
    `SELECT DISTINCT u.full_name, c.name FROM messages m JOIN users u ON u.user_id = m.sender_id
     JOIN channels c USING (channel_id)
     WHERE u.bot_type IS NULL AND NOT EXISTS
       (SELECT 1 FROM subscriptions s WHERE s.user_id = u.user_id AND s.channel_id = c.channel_id)`,
  )
  expect(strangers).toEqual([])
  const silent = db.all(
    'SELECT full_name FROM users WHERE user_id NOT IN (SELECT sender_id FROM messages GROUP BY 1 HAVING count(*) > 20)',
  )
  expect(silent).toEqual([])
})
