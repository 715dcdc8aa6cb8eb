import { expect, test } from 'vitest'
import { startTeammates } from '../../../src-server/demo/index.ts'
import { openDemo, serve, type Demo } from './open-demo.ts'

const second = 1_000
const count = ({ workspace }: Demo) =>
  workspace.db.get<{ n: number }>('SELECT count(*) AS n FROM messages')?.n ?? 0
const newest = ({ workspace }: Demo, after: number) =>
  workspace.db.all<{ name: string; content: string; topic: string; channel: string | null }>(
    `SELECT u.full_name AS name, m.content, m.topic, c.name AS channel FROM messages m
     JOIN users u ON u.user_id = m.sender_id LEFT JOIN channels c USING (channel_id)
     ORDER BY m.message_id LIMIT -1 OFFSET ?`,
    after,
  )
/** Lets the clock run in small steps, so that requests that are under way come through. */
async function pass({ clock }: Demo, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed++) await clock.advance(second)
}

async function lively() {
  const demo = openDemo()
  const stopping = new AbortController()
  const before = count(demo)
  startTeammates(demo.workspace, stopping.signal)
  return { demo, stopping, before }
}

/** Lets them show what they draw: that takes time of its own, whatever the clock says. Answers the addresses. */
async function untilShown(demo: Demo, before: number): Promise<string[]> {
  const shown = () =>
    newest(demo, before).flatMap(({ content }) => content.match(/\/user_uploads\/[^)]+/g) ?? [])
  await expect.poll(async () => (await pass(demo, 5), shown().length), { interval: 10 }).toBe(4)
  return shown()
}

test('somebody is typing within ten seconds, and has written soon after', async () => {
  const { demo, stopping, before } = await lively()
  const maren = (await serve(demo))('Maren Aske')
  const { queue_id } = await maren('POST', '/register', {
    event_types: ['typing', 'message'],
    client_capabilities: { stream_typing_notifications: true },
  })
  await pass(demo, 10)
  const read = async () =>
    (await maren('GET', '/events', { queue_id, last_event_id: -1, dont_block: true })).events
  expect(await read()).toContainEqual(expect.objectContaining({ type: 'typing', op: 'start' }))
  expect(count(demo)).toBe(before)
  await pass(demo, 8)
  expect(await read()).toContainEqual(expect.objectContaining({ type: 'message' }))
  stopping.abort()
})

test('they go on for hours without saying the same again in a topic, then stop at once', async () => {
  const { demo, stopping, before } = await lively()
  await untilShown(demo, before)
  for (let minutes = 0; minutes < 120; minutes += 1) await demo.clock.advance(60 * second)
  const said = newest(demo, before)
  expect(said.length).toBeGreaterThan(150)
  const texts = said.map(
    ({ channel, topic, content }) => `${channel}>${topic}: ${content.replaceAll(/\d+/g, '#')}`,
  )
  expect(texts.filter((text, index) => text.length > 60 && texts.indexOf(text) !== index)).toEqual([])
  expect(demo.logged).toEqual([])

  stopping.abort()
  const stopped = count(demo)
  await pass(demo, 120)
  expect(count(demo)).toBe(stopped)
})

test('after a restart they go on where they were', async () => {
  const { demo, stopping, before } = await lively()
  const talk = async (ending: AbortController) => {
    for (let minutes = 0; minutes < 8; minutes += 1) await demo.clock.advance(60 * second)
    ending.abort()
    await pass(demo, 60)
  }
  await untilShown(demo, before)
  await talk(stopping)
  const first = newest(demo, before).map(({ content }) => content)
  const again = new AbortController()
  startTeammates(demo.workspace, again.signal)
  await talk(again)
  const later = newest(demo, before + first.length).map(({ content }) => content)
  expect(first.length).toBeGreaterThan(10)
  expect(later.length).toBeGreaterThan(10)
  expect(later.filter((content) => first.includes(content))).toEqual([])
})

test('who is mentioned reacts and answers in the topic', async () => {
  const { demo, stopping } = await lively()
  const maren = (await serve(demo))('Maren Aske')
  const { id } = await maren('POST', '/messages', {
    type: 'channel',
    to: 'tide-gauges',
    topic: 'a question about the fitting',
    content: '@**Ines Duarte** is the logger dry again?',
  })
  await pass(demo, 20)
  const { messages } = await maren('GET', '/messages', {
    narrow: [
      { operator: 'channel', operand: 'tide-gauges' },
      { operator: 'topic', operand: 'a question about the fitting' },
    ],
    anchor: id,
    num_before: 0,
    num_after: 5,
  })
  expect(messages[0].reactions.length).toBe(1)
  expect(messages.map((message: { sender_full_name: string }) => message.sender_full_name)).toEqual([
    'Maren Aske',
    'Ines Duarte',
  ])
  stopping.abort()
})

test('who is written to answers', async () => {
  const { demo, stopping, before } = await lively()
  const maren = (await serve(demo))('Maren Aske')
  const { members } = await maren('GET', '/users')
  const keiko = members.find((user: { full_name: string }) => user.full_name === 'Keiko Tamura')
  await maren('POST', '/messages', { type: 'direct', to: [keiko.user_id], content: 'Thank you for the tea!' })
  await pass(demo, 20)
  const direct = newest(demo, before).filter(({ channel, name }) => channel === null && name !== 'Maren Aske')
  expect(direct.map(({ name }) => name)).toContain('Keiko Tamura')
  stopping.abort()
})

test('they bring custom emoji along, and use them once they are there', async () => {
  const { demo, stopping, before } = await lively()
  const maren = (await serve(demo))('Maren Aske')
  const names = async () =>
    Object.values((await maren('GET', '/realm/emoji')).emoji as Record<string, { name: string }>).map(
      ({ name }) => name,
    )
  await expect.poll(names).toEqual(['dunlin', 'low_water'])
  await untilShown(demo, before)
  await pass(demo, 120)
  const used = demo.workspace.db.all<{ name: string }>(
    `SELECT emoji_name AS name FROM reactions WHERE reaction_type = 'realm_emoji'`,
  )
  expect(used).toContainEqual({ name: 'dunlin' })
  stopping.abort()
  // Those that are there are not added again.
  startTeammates(demo.workspace, new AbortController().signal)
  await pass(demo, 5)
  expect(await names()).toEqual(['dunlin', 'low_water'])
  expect(demo.logged).toEqual([])
})

test('they show pictures and files that they drew, which are there to be read', async () => {
  const { demo, stopping, before } = await lively()
  const [clamp, drift, week, trill] = await untilShown(demo, before)
  const maren = (await serve(demo))('Maren Aske')
  for (const [address, name] of [
    [clamp, 'gauge-4-seaward-clamp.jpg'],
    [drift, 'gauge-4-drift.png'],
    [week, 'gauge-4-week.csv'],
    [trill, 'dunlin-over-the-hide.wav'],
  ] as const) {
    expect(address).toMatch(new RegExp(`/${name}$`))
    expect((await maren('GET', address ?? '')).url).toMatch(/^\//)
  }
  expect(demo.logged).toEqual([])
  stopping.abort()
})
