import { expect, test } from 'vitest'
import { demoAccounts } from '../../../src-server/demo/index.ts'
import { noon, openDemo, serve } from './open-demo.ts'

const demo = openDemo()
const { db } = demo.workspace
const one = (sql: string) => Object.values(db.get<Record<string, number>>(sql) ?? {})[0]
const column = (sql: string) =>
  db.all<Record<string, string | number>>(sql).map((row) => Object.values(row)[0])
const rendered = column('SELECT rendered FROM messages').map(String)
const ask = await serve(demo)

test('the first account is Maren, and everybody can sign in', () => {
  const accounts = demoAccounts(demo.workspace)
  expect(accounts[0]).toMatchObject({ full_name: 'Maren Aske', is_bot: false })
  expect(new Set(accounts.map(({ api_key }) => api_key)).size).toBe(accounts.length)
  for (const { password, is_bot } of accounts) expect(password === null).toBe(is_bot)
})

test('has people of every role, and a bot of each kind', () => {
  expect(one('SELECT count(*) FROM users WHERE bot_type IS NULL')).toBeGreaterThanOrEqual(12)
  expect(column('SELECT DISTINCT role FROM users WHERE bot_type IS NULL ORDER BY role')).toEqual([
    100, 200, 300, 400, 600,
  ])
  expect(column('SELECT bot_type FROM users WHERE bot_type IS NOT NULL ORDER BY 1')).toEqual([1, 2, 3])
})

test('has channels of every kind, most of them in folders', () => {
  expect(one('SELECT count(*) FROM channels WHERE is_archived = 0')).toBeGreaterThanOrEqual(12)
  expect(one('SELECT count(*) FROM channels WHERE is_private = 1')).toBeGreaterThan(0)
  expect(one('SELECT count(*) FROM channels WHERE is_web_public = 1')).toBeGreaterThan(0)
  expect(one('SELECT count(*) FROM channels WHERE is_archived = 1')).toBeGreaterThan(0)
  expect(one('SELECT count(DISTINCT folder_id) FROM channels')).toBe(3)
  expect(one('SELECT count(*) FROM channels WHERE folder_id IS NOT NULL')).toBeGreaterThan(8)
  // Some are left to join.
  expect(
    one(`SELECT count(*) FROM channels c WHERE is_private = 0 AND NOT EXISTS
      (SELECT 1 FROM subscriptions s JOIN users u USING (user_id)
       WHERE s.channel_id = c.channel_id AND u.full_name = 'Maren Aske')`),
  ).toBe(2)
})

test('only those who run the group may write to announcements', async () => {
  const to = { type: 'channel', to: 'announcements', topic: 'staff call', content: 'May I?' }
  await expect(ask('Ines Duarte')('POST', '/messages', to)).rejects.toThrow('Only some people can write')
  await expect(ask('Keiko Tamura')('POST', '/messages', to)).resolves.toMatchObject({
    result: 'success',
  })
})

test('has a year of messages in many topics', () => {
  expect(one('SELECT count(*) FROM messages')).toBeGreaterThanOrEqual(5_000)
  expect(one("SELECT count(DISTINCT channel_id || '/' || topic_key) FROM messages")).toBeGreaterThanOrEqual(
    150,
  )
  const nowSeconds = noon / 1000
  const sentAt = column('SELECT sent_at FROM messages ORDER BY message_id').map(Number)
  expect(sentAt).toEqual(sentAt.toSorted((a, b) => a - b))
  expect(sentAt.at(-1)).toBeLessThanOrEqual(nowSeconds)
  expect(nowSeconds - (sentAt[0] ?? 0)).toBeGreaterThan(330 * 86_400)
  const weeks = new Set(sentAt.map((at) => Math.floor((nowSeconds - at) / (7 * 86_400))))
  expect(weeks.size).toBeGreaterThan(48)
})

test.each<[string, RegExp]>([
  ['headings of several levels', /<h1>[^]*<h2>[^]*<h3>/],
  ['a rule', /<hr>/],
  ['a line break', /<br>/],
  ['bold', /<strong>/],
  ['italic', /<em>/],
  ['bold and italic', /<strong><em>/],
  ['struck out', /<del>/],
  ['a list in a list', /<li>[^<]*\n?<ul>/],
  ['a numbered list', /<ol>/],
  ['a list that does not begin with 1', /<ol start=/],
  ['a table with alignment', /<th style="text-align: ?right;?">/],
  ['a quotation', /<blockquote>/],
  ['a spoiler', /class="spoiler-block"/],
  ['code in a line', /<p>[^]*<code>/],
  ['code of a language', /data-code-language="Python"/],
  ['a formula in a line', /<p>.+class="katex"/],
  ['a formula of its own', /katex-display/],
  ['a mention', /class="user-mention" data-user-id/],
  ['a silent mention', /class="user-mention silent"/],
  ['a mention of a group', /class="user-group-mention"/],
  ['a silent mention of a group', /class="user-group-mention silent"/],
  ['a mention of everybody', /channel-wildcard-mention/],
  ['a mention of a topic', /topic-mention/],
  ['a link to a channel', /class="stream"/],
  ['a link to a topic', /class="stream-topic"/],
  ['a link to a message', /class="message-link"/],
  ['a time', /<time datetime=/],
  ['an emoji', /class="emoji emoji-/],
  ['a linkifier', /href="https:\/\/kit\.skerry\.example/],
  ['a bare address', /<a href="(https:[^"]+)">\1<\/a>/],
  ['a link with a name', /<a href="https:[^"]+">(?!http)[^<]+<\/a>/],
  ['a mail address', /href="mailto:/],
])('people write %s', (_, pattern) => {
  expect(rendered.some((html) => pattern.test(html))).toBe(true)
})

test('people answer polls, tick off tasks, say what they do, react, and edit', () => {
  expect(one(`SELECT count(*) FROM submessages WHERE content LIKE '%poll%'`)).toBeGreaterThan(1)
  expect(one(`SELECT count(*) FROM submessages WHERE content LIKE '%vote%'`)).toBeGreaterThan(3)
  expect(one(`SELECT count(*) FROM submessages WHERE content LIKE '%todo%'`)).toBeGreaterThan(0)
  expect(one(`SELECT count(*) FROM submessages WHERE content LIKE '%strike%'`)).toBeGreaterThan(0)
  expect(one('SELECT count(*) FROM messages WHERE is_me_message = 1')).toBeGreaterThan(0)
  expect(one('SELECT count(DISTINCT emoji_code) FROM reactions')).toBeGreaterThan(30)
  expect(one('SELECT count(*) FROM messages WHERE edited_at IS NOT NULL')).toBeGreaterThan(0)
})

test('Maren has unread messages in several places, some of which mention her', async () => {
  const maren = ask('Maren Aske')
  const state = await maren('POST', '/register')
  expect(state.unread_msgs.count).toBeGreaterThanOrEqual(15)
  expect(state.unread_msgs.count).toBeLessThan(80)
  expect(state.unread_msgs.mentions.length).toBeGreaterThanOrEqual(3)
  expect(state.unread_msgs.streams.length).toBeGreaterThanOrEqual(4)
  expect(state.unread_msgs.pms.length).toBeGreaterThan(0)
  expect(state.unread_msgs.huddles.length).toBeGreaterThan(0)
})

test('Maren has drafts, snippets and followed topics, and there are groups and linkifiers', async () => {
  const maren = ask('Maren Aske')
  const { drafts } = await maren('GET', '/drafts')
  expect(drafts.map(({ type }: { type: string }) => type).sort()).toEqual(['', 'private', 'stream'])
  expect((await maren('GET', '/saved_snippets')).saved_snippets.length).toBeGreaterThanOrEqual(3)
  expect((await maren('GET', '/realm/linkifiers')).linkifiers.length).toBeGreaterThanOrEqual(3)
  const own = db.all<{ members: string }>('SELECT members FROM user_groups WHERE is_system = 0')
  expect(own.length).toBeGreaterThanOrEqual(3)
  for (const { members } of own) expect(JSON.parse(members).length).toBeGreaterThan(1)
  expect(one('SELECT count(*) FROM user_topics WHERE user_id = 1 AND policy = 3')).toBeGreaterThan(1)
  expect(one('SELECT count(*) FROM user_messages WHERE user_id = 1 AND is_starred = 1')).toBeGreaterThan(0)
})

test('is the same every time', () => {
  const dump = ({ workspace }: ReturnType<typeof openDemo>) =>
    [
      'SELECT full_name, role, api_key FROM users',
      'SELECT name, is_private, folder_id FROM channels',
      'SELECT sender_id, channel_id, topic, content, sent_at, edited_at FROM messages WHERE message_id <= 5000',
      'SELECT * FROM reactions WHERE message_id <= 5000',
      'SELECT user_id, type, topic, content, timestamp FROM drafts',
    ].map((sql) => workspace.db.all(`${sql} ORDER BY 1, 2, 3`))
  expect(dump(openDemo())).toEqual(dump(demo))
})

test('is filled with few calls of the database, so that the app opens at once', () => {
  expect(demo.statements).toBeLessThan(120_000)
})
