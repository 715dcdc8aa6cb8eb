import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawn } from '../support/pictures.ts'
import { goTo } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// Settings changed on another device take effect here, and stay after a restart without the server.

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage({ window: { colorScheme: 'light' } })
  page = stage.page
  await stage.signIn()
})
afterAll(() => stage?.close())

const withOwnEmoji = 'birds'

/** In the terms of the API. */
const chosen = {
  color_scheme: '2',
  high_contrast_mode: 'true',
  web_font_size_px: '19',
  web_line_height_percent: '170',
  fluid_layout_width: 'true',
  twenty_four_hour_time: 'false',
  web_home_view: 'recent_topics',
  web_channel_default_view: '3',
  web_mark_read_on_scroll_policy: '3',
  display_emoji_reaction_users: 'false',
  starred_message_counts: 'false',
  emojiset: 'text',
  user_list_style: '1',
  web_stream_unreads_count_display_policy: '3',
  web_left_sidebar_show_channel_folders: 'false',
  web_left_sidebar_unreads_count_summary: 'false',
  left_side_userlist: 'true',
}

const look = () =>
  page.evaluate(() => {
    const { dataset, style } = document.documentElement
    const { theme, contrast, width } = dataset
    const scale = (name: string) => Number(style.getPropertyValue(name))
    return { theme, contrast, width, isLarger: scale('--scale-text') > 1, isWider: scale('--scale-line') > 1 }
  })

/** Checks every changed setting where it is visible. */
async function expectAll(): Promise<void> {
  const sidebar = page.getByRole('navigation', { name: 'Views and channels' })
  await expect
    .poll(look)
    .toEqual({ theme: 'dark', contrast: 'more', width: 'whole', isLarger: true, isWider: true })

  // The home view, and Esc, which leads there.
  await page.goto(stage.url)
  await page.getByRole('heading', { name: 'Recent conversations' }).waitFor()
  await goTo(page, 'drafts')
  await page.getByRole('heading', { name: 'Drafts and outbox' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Recent conversations' }).waitFor()

  // The sidebar: no folders, no counts for channels or starred messages; a channel opens its topics.
  await sidebar.getByRole('treeitem', { name: 'Channels', exact: true }).waitFor()
  await sidebar.getByRole('link', { name: 'Starred', exact: true }).waitFor()
  await sidebar.getByRole('treeitem', { name: 'tide-gauges', exact: true }).click()
  const topics = page.getByRole('list', { name: 'Topics' }).getByRole('link')
  await topics.first().waitFor()
  await page.keyboard.press('Shift+D')
  await expect.poll(() => page.url()).toMatch(/channel\/(?!1\/)\d+\/topics$/)
  // A closed folder has no count either.
  const folder = sidebar.getByRole('treeitem', { name: 'Channels', exact: true })
  await folder.click()
  await expect.poll(() => folder.getAttribute('aria-expanded')).toBe('false')
  await folder.click()

  // Messages: emoji names, counts on reactions, the other clock.
  await goTo(page, `channel/1/topic/${withOwnEmoji}`)
  await page.locator('.msg .content', { hasText: 'A :dunlin: flew by.' }).waitFor()
  await goTo(page, 'channel/1/topic/battery%20swap%20rota')
  const heart = page.locator('.rp[data-note-title=":heart:"]').first()
  await expect.poll(() => heart.locator('.num').innerText()).toBe('1')
  await expect.poll(() => heart.innerText()).toContain(':heart:')
  await expect.poll(() => page.locator('.msg time').first().innerText()).toMatch(/[AP]M/i)
  await page.locator('.msg').first().hover()
  const acts = page.getByRole('toolbar', { name: 'Message actions' })
  await expect.poll(() => acts.getByRole('button').first().innerText()).toMatch(/^:\w+:$/)
  await page.getByRole('toolbar').getByRole('button', { name: 'Emoji', exact: true }).click()
  await expect.poll(() => page.getByRole('gridcell').allInnerTexts()).toContain(':tada:')
  await page.keyboard.press('Escape')

  // People: only names, and on the left if there is little room.
  await goTo(page, 'combined')
  await page.locator('.pp .pr-dot').first().waitFor()
  await expect.poll(() => page.locator('.pp .av').count()).toBe(0)
  await page.setViewportSize({ width: 900, height: 700 })
  const people = page.getByRole('complementary', { name: 'People' }).first()
  await people.waitFor()
  await expect.poll(async () => (await people.boundingBox())?.x).toBeLessThan(100)
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('every choice shows where it is meant to, and again after a restart offline', async () => {
  // An emoji of the organization is a picture until its name is wanted.
  const picture = new FormData()
  picture.append(
    'file',
    new Blob([new Uint8Array(await drawn.png(64, 64))], { type: 'image/png' }),
    'dunlin.png',
  )
  await stage.ask('POST', '/realm/emoji/dunlin', picture)
  const message = { type: 'stream', to: 'tide-gauges', topic: withOwnEmoji, content: 'A :dunlin: flew by.' }
  await stage.ask('POST', '/messages', message)
  await goTo(page, `channel/1/topic/${withOwnEmoji}`)
  await page.locator('.msg .content img.emoji[alt=":dunlin:"]').waitFor()
  expect(await stage.ask('PATCH', '/settings', chosen)).toMatchObject({ result: 'success', msg: '' })
  await expectAll()

  await stage.stopService()
  await stage.stopApp()
  await stage.startApp()
  await expectAll()
})
