import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { t } from '../../src-shared/texts/texts.ts'
import { feed, field, onTopic, openTopic, type Screens } from './screen-ways.ts'
import type { Stage } from './stage.ts'

const topic = 'photographs'
const edited = 'pressure'
const written = [
  'The mast is up, somebody take a picture.',
  'The mast is up, take two pictures at noon.',
] as const
const files = ['morning.jpg', 'evening.jpg', 'levels.csv'] as const

/** The names that these screens add to the organization. */
export const givenHere: readonly string[] = [topic, ...files, edited, ...written]

/** The topic's messages, the newest first; empty if nobody has written in it yet. */
async function newestIn(stage: Stage, name: string): Promise<readonly { readonly id: number }[]> {
  const answer = await stage.ask('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: JSON.stringify([{ operator: 'topic', operand: name }]),
  })
  // The envelope of the service's own answer.
  return (answer as { messages: { id: number }[] }).messages
}

/** Sends two photographs and a table from another client of the person; only once. */
async function sendPictures(stage: Stage): Promise<void> {
  if ((await newestIn(stage, topic)).length > 0) return
  const upload = async (name: string, type: string, bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.append('file', new Blob([bytes], { type }), name)
    const { url } = (await stage.ask('POST', '/user_uploads', form)) as { url: string }
    return `[${name}](${url})`
  }
  const shore = (sky: string, sea: string, sun: number) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000"><rect width="1600" height="1000" fill="${sky}"/>` +
          `<circle cx="${sun}" cy="420" r="90" fill="#f8e3b0"/><path d="M0 520q200-60 400 0t400 0 400 0 400 0v480H0z" fill="${sea}"/></svg>`,
      ),
    )
      .jpeg()
      .toBuffer()
  const links = [
    await upload(files[0], 'image/jpeg', new Uint8Array(await shore('#c9dde4', '#2f6272', 1_100))),
    await upload(files[1], 'image/jpeg', new Uint8Array(await shore('#e8b48c', '#3b4a6b', 420))),
    await upload(files[2], 'text/csv', new TextEncoder().encode('hour,metres\n1,2.31\n2,2.37\n')),
  ]
  const place = { type: 'stream', to: '1', topic }
  await stage.ask('POST', '/messages', { ...place, content: links.join('\n\n') })
}

const showPictures = async (stage: Stage) => {
  await sendPictures(stage)
  await feed(`channel/1/topic/${topic}`)(stage)
  const pictures = stage.page.locator('.message_inline_image img')
  await pictures.nth(1).waitFor()
  await pictures.nth(1).evaluate((image: HTMLImageElement) => image.decode())
}

/** One of the person's own messages, which can be edited and deleted. */
const ownMessage = (page: Page) => page.locator('.msg', { hasText: 'That is a very convincing last column' })
const onOwnMessage = (then: (page: Page) => Promise<unknown>) =>
  onTopic(async (page) => {
    await ownMessage(page).focus()
    await then(page)
  })
const choose = async (page: Page, entry: string) => {
  await page.keyboard.press('i')
  await page.getByRole('menuitem', { name: entry }).click()
}

/** The actions on a message, and the kinds of content. */
export const messageScreens: Screens = {
  pictures: showPictures,
  'picture-viewer': async (stage) => {
    await showPictures(stage)
    await stage.page.locator('.msg').last().focus()
    await stage.page.keyboard.press('v')
    await stage.page.locator('.viewer img').first().waitFor()
  },
  reactions: async (stage) => {
    await feed(`reactions/${stage.own.user_id}`)(stage)
  },
  'editing-a-message': onOwnMessage(async (page) => {
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: t.feed.edit.name }).waitFor()
  }),
  'moving-messages': onOwnMessage(async (page) => {
    await page.keyboard.press('m')
    await page.getByRole('dialog', { name: t.feed.move.messages }).waitFor()
  }),
  'deleting-a-message': onOwnMessage(async (page) => {
    await choose(page, t.feed.acts.delete)
    await page.getByRole('alertdialog', { name: t.feed.delete.title }).waitFor()
  }),
  'reporting-a-message': async (stage) => {
    // Without a channel for reports, nobody can make any.
    await stage.ask('PATCH', '/realm', { moderation_request_channel_id: '1' }, stage.other)
    await openTopic(stage)
    const { page } = stage
    await page.locator('.msg', { hasText: 'Logger is on the bench' }).focus()
    await choose(page, t.feed.acts.report)
    await page.getByRole('dialog', { name: t.feed.report.title }).waitFor()
  },
  'versions-of-a-message': async (stage) => {
    if ((await newestIn(stage, edited)).length === 0) {
      const place = { type: 'stream', to: '1', topic }
      const sent = await stage.ask('POST', '/messages', { ...place, content: written[0] })
      // The envelope of the service's own answer.
      const { id } = sent as { id: number }
      await stage.ask('PATCH', `/messages/${id}`, { content: written[1] })
      await stage.ask('PATCH', `/messages/${id}`, { topic: edited, send_notification_to_new_thread: 'false' })
    }
    await feed(`channel/1/topic/${edited}`)(stage)
    await stage.page.locator('.msg', { hasText: written[1] }).focus()
    await stage.page.keyboard.press('Shift+H')
    await stage.page.getByRole('dialog').getByRole('insertion').first().waitFor()
  },
  'readers-of-a-message': async (stage) => {
    await openTopic(stage)
    const { page } = stage
    const id = await ownMessage(page).getAttribute('data-message-id')
    await stage.ask('POST', '/messages/flags', { messages: `[${id}]`, op: 'add', flag: 'read' }, stage.other)
    await ownMessage(page).focus()
    await page.keyboard.press('Shift+V')
    await page.getByRole('dialog').getByRole('listitem').first().waitFor()
  },
  'reactors-of-a-message': async (stage) => {
    await openTopic(stage)
    const { page } = stage
    await page.locator('.msg', { hasText: 'Logger is on the bench' }).focus()
    await choose(page, t.feed.acts.reactors)
    await page.getByRole('dialog').getByRole('listitem').first().waitFor()
  },
  'somebody-typing': async (stage) => {
    await openTopic(stage)
    const typing = { type: 'stream', op: 'start', stream_id: '1', topic: 'gauge 4 offset drift' }
    await stage.ask('POST', '/typing', typing, stage.other)
    await stage.page.getByText(t.feed.typing.one(stage.other.full_name)).first().waitFor()
  },
  'writing-large': async (stage) => {
    await openTopic(stage)
    await field(stage.page).fill('# The clamp\n\n1. Lift it at low water\n2. Dry it\n3. Put it back')
    await stage.page.getByRole('button', { name: t.compose.expand }).click()
    await stage.page.getByRole('button', { name: t.compose.makeSmaller }).waitFor()
  },
}
