import { daySeconds } from '../../src-shared/durations.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { goTo, signIn } from './browser.ts'
import { openAppStage, type AppStage } from './stage.ts'

// What the journeys in feeds share: one feed of twenty thousand messages, and one with everything that a message can
// contain.

export const total = 20_000
/** How many of the long topic's messages are recent enough to be fetched unasked. */
export const young = 600

/** Of the service, from its next start on. */
export const configuration: { visibleMessages: number | null } = { visibleMessages: null }

export let stage: AppStage
export let page: Page
export let service: TestService
export let own: ReturnType<TestService['createUser']>
export let other: ReturnType<TestService['createUser']>
export let channel: number
/** The id of the first message of the long topic. */
export let first: number
/** Lets the pictures arrive, which are held back until then. */
export let letPictures = () => {}

/** Writes the long topic as an organization would have it after years, without rendering each message. */
function seed(): void {
  const db = service.database
  first = (db.get<{ id: number | null }>('SELECT max(message_id) AS id FROM messages')?.id ?? 0) + 1
  const now = Math.floor(Date.now() / 1_000)
  db.run(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${total - 1})
     INSERT INTO messages (sender_id, channel_id, topic, topic_key, content, rendered, sent_at)
     SELECT CASE i / 3 % 2 WHEN 0 THEN ?1 ELSE ?2 END, ?3, 'long', 'long', 'Reading ' || i,
       '<p>Reading ' || i || '</p>' || CASE WHEN i % 5 = 0 THEN '<p>and <strong>more</strong><br>in two lines</p>' ELSE '' END,
       CASE WHEN i < ${total - young} THEN ?4 - ${200 * daySeconds} + i * 60 ELSE ?4 - (${total} - i) * 60 END
     FROM n`,
    { 1: own.userId, 2: other.userId, 3: channel, 4: now },
  )
  db.run(
    `INSERT INTO user_messages (user_id, message_id, is_read)
     SELECT u.user_id, m.message_id, CASE WHEN u.user_id = ?1 AND m.message_id >= ?2 THEN 0 ELSE 1 END
     FROM messages m JOIN (SELECT ?1 AS user_id UNION SELECT ?3) u WHERE m.topic = 'long'`,
    { 1: own.userId, 2: first + total - 6, 3: other.userId },
  )
}

/** Messages of the topic with everything that a message can contain. */
export const rich = {
  changing: 0,
  picture: 0,
  after: [] as number[],
  hostile: 0,
  code: 0,
  /** The preview of a film on another website, as some servers write it. */
  film: 0,
  spoiler: 0,
  long: 0,
  time: 0,
}

function seedRich(): void {
  service.database.run(
    "INSERT INTO linkifiers (pattern, url_template, position) VALUES ('ri(?P<end>ch)', 'https://rules.example/{end}', 0)",
  )
  for (const name of ['Notebook', 'Sandbox'])
    service.database.run(
      "INSERT INTO playgrounds (name, pygments_language, url_template) VALUES (?, 'Python', ?)",
      name,
      `https://${name.toLowerCase()}.example/new{?code}`,
    )
  const send = (content: string) => service.send(other.userId, channel, 'rich', content)
  /** Sends a message and replaces its content by HTML that a server could send. */
  const sendHtml = (html: string): number => {
    const id = send('a placeholder')
    service.database.run('UPDATE messages SET rendered = ?1 WHERE message_id = ?2', { 1: html, 2: id })
    return id
  }
  for (let index = 0; index < 12; index++) send(`before ${index}`)
  rich.changing = send('one line')
  rich.picture = sendHtml(
    '<div class="message_inline_image"><a href="/user_uploads/1/tall.png"><img src="/user_uploads/1/tall.png"></a></div>',
  )
  rich.after = Array.from({ length: 40 }, (_, index) => send(`after ${index}`))
  rich.hostile = sendHtml(
    [
      '<p onclick="window.harmed=true">hostile <img src="/x.png" onerror="window.harmed=true"></p>',
      '<script>window.harmed=true</script><iframe srcdoc="<script>parent.harmed=true</script>"></iframe>',
      '<a href="javascript:window.harmed=true">run</a><svg><script>window.harmed=true</script></svg>',
      '<form action="/x"><input name="q"><button>go</button></form><style>*{display:none}</style>',
      '<p style="position:fixed;inset:0">cover</p>',
    ].join(''),
  )
  const lines = Array.from({ length: 40 }, (_, index) => `reading_${index} = ${index}`).join('\n')
  rich.code = send(`\`\`\`python\n${lines}\n\`\`\``)
  rich.film = sendHtml(
    '<div class="embed-video message_inline_image"><a data-id="7" href="https://films.example/7"><img src="/user_uploads/1/film.png"></a></div>',
  )
  rich.spoiler = send('```spoiler The winner\nEider\n```')
  rich.long = send(Array.from({ length: 60 }, (_, index) => `paragraph ${index}`).join('\n\n'))
  rich.time = send('Low water <time:2026-05-12T12:36:00Z>')
}

/** For `beforeAll`. */
export async function openFeeds(): Promise<void> {
  service = await startService({ configuration })
  own = service.createUser('Maren Aske')
  other = service.createUser('Keiko Tamura')
  channel = service.createChannel('gauges', [own.userId, other.userId])
  seed()
  seedRich()
  const pictures = new Promise<void>((done) => (letPictures = done))
  stage = await openAppStage({
    window: { viewport: { width: 1200, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] },
    // The route is set before the app loads, because a request that is under way when routing starts may never arrive.
    prepare: (context) =>
      context.route('**/media/**tall.png', async (route) => {
        await pictures
        const picture =
          '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="400"><rect width="300" height="400"/></svg>'
        await route.fulfill({ contentType: 'image/svg+xml', body: picture })
      }),
  })
  page = stage.page
  await signIn(page, service.baseUrl, own)
}

/** For `afterAll`. */
export async function closeFeeds(): Promise<void> {
  await stage?.close()
  await service?.close()
}

export const go = (place: string) => goTo(page, place)
export const topic = (name: string, near?: number) =>
  go(`channel/${channel}/topic/${name}${near === undefined ? '' : `?near=${near}`}`)
export const row = (id: number) => page.locator(`.msg[data-message-id="${id}"]`)

export interface Sight {
  readonly id: number
  readonly top: number
  /** Message ids in order, with `hole` where the page says that messages are missing. */
  readonly ids: readonly (number | 'hole')[]
  readonly isAtEnd: boolean
  readonly nodes: number
}
/** Scrolls, and returns what the reader sees right afterwards. */
export const look = (by = 0): Promise<Sight> =>
  page.evaluate((delta) => {
    const feed = document.querySelector('.feed')
    if (feed === null) throw new Error('no feed')
    feed.scrollTop += delta
    const { top, bottom } = feed.getBoundingClientRect()
    const rows = [...feed.querySelectorAll<HTMLElement>('.msg[data-message-id]')]
    const seen = rows.find((one) => {
      const box = one.getBoundingClientRect()
      return box.top >= top + 56 && box.top < bottom
    })
    return {
      id: Number(seen?.dataset['messageId']),
      top: seen?.getBoundingClientRect().top ?? Number.NaN,
      ids: [...feed.querySelectorAll<HTMLElement>('.msg[data-message-id], .feed-note[data-row]')].map((one) =>
        one.dataset['messageId'] === undefined ? ('hole' as const) : Number(one.dataset['messageId']),
      ),
      isAtEnd: feed.scrollHeight - feed.scrollTop - feed.clientHeight < 4,
      nodes: feed.querySelectorAll('*').length,
    }
  }, by)
export const topOf = (id: number) =>
  row(id).evaluate((one) => one.getBoundingClientRect().top, null, { timeout: 30_000 })
/** Waits two frames and for the engine's answer. */
export const rest = () => page.waitForTimeout(120)

/** Turns the wheel over the feed as a reader does, and waits until it has scrolled by as much as it can. */
export async function wheel(by: number): Promise<void> {
  const scrolled = () => page.locator('.feed').evaluate((feed) => feed.scrollTop)
  const before = await scrolled()
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, by)
  await expect.poll(scrolled).not.toBe(before)
  let last: number
  do {
    last = await scrolled()
    await rest()
  } while ((await scrolled()) !== last)
}

/** Messages on the page follow one another without a hole, unless the page shows one. */
export function expectWhole({ ids }: Sight): void {
  for (const [index, id] of ids.entries()) {
    const before = ids[index - 1]
    if (typeof id === 'number' && typeof before === 'number') expect(id - before).toBe(1)
  }
}
