import { cpSync, globSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Page } from 'playwright-core'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import { languageFor, speak, t } from '../../src-shared/texts/texts.ts'
import { openDevice } from '../support/device.ts'
import { canMount, openSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { goTo } from './browser.ts'
import {
  clear,
  feed,
  field,
  goOffline,
  heading,
  onInbox,
  openInbox,
  openTopic,
  type Screens,
} from './screen-ways.ts'
import type { Stage } from './stage.ts'

const gauge = topicConversation(1, 'gauge 4 offset drift')

/** Edits one draft at the same place on two devices that do not hear of each other. */
async function quarrel(stage: Stage): Promise<void> {
  const { page } = stage
  const text = 'The gauge drifts by four millimetres a week. We should look at the clamp before Friday.'
  await openTopic(stage)
  await field(page).fill(text)
  const spoken = languageFor([t.locale])
  const second = await openDevice(stage.service.baseUrl, {
    email: stage.own.email,
    apiKey: stage.own.api_key,
  })
  // The device in this process has its own language.
  await speak(spoken)
  const { accountId } = second
  const there = await second.until(
    'conversation-draft',
    { accountId, conversation: gauge },
    (draft) => draft?.content === text,
  )
  await goOffline(stage)
  await field(page).fill(text.replace('Friday', 'Thursday'))
  await page.getByTestId('draft-state').getByText(t.compose.draft.local).waitFor()
  await stage.stopApp()
  const mondays = text.replace('Friday', 'Monday').replace('four', 'five')
  await second.bridge.call('save-draft', {
    accountId,
    draftId: there?.id ?? null,
    draft: { recipient: gauge, content: mondays },
  })
  await stage.startService()
  await second.bridge.call('try-now', { accountId })
  await second.until(
    'conversation-draft',
    { accountId, conversation: gauge },
    (draft) => draft?.state === 'synced' && draft.content === mondays,
  )
  await second.close()
  await stage.startApp()
  await openTopic(stage)
}

/** Stages whose draft is in conflict until somebody decides. */
const quarrelled = new WeakSet<Stage>()

/** The disk with the accounts' files while it is full. */
let smallDisk: SmallDisk | null = null
process.once('exit', () => smallDisk?.remove())

/** Moves the accounts' files to another disk, between two starts of the app. */
async function moveAccounts(stage: Stage, move: (accounts: string) => void): Promise<void> {
  await stage.stopApp()
  move(join(stage.appDirectory, 'accounts'))
  await stage.startApp()
}

/** Truncates the write-ahead log, because a log that was longer has room even on a full disk. */
function cutLog(file: string): void {
  const sqlite = new Sqlite(file)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
}

const rota = feed('channel/1/topic/battery%20swap%20rota')
const diskBanner = (page: Page) =>
  page.getByRole('alert').filter({ hasText: t.mainWindow.banners.chooseWhatToKeep })

/** A full disk, where the system allows mounting one, and the window once there is room again. */
const diskScreens: Screens = {
  'disk-full': async (stage) => {
    const { page } = stage
    if (smallDisk === null) {
      // Including the media.
      const disk = openSmallDisk(256 * 1_024)
      smallDisk = disk
      await moveAccounts(stage, (accounts) => {
        cpSync(accounts, disk.directory, { recursive: true })
        rmSync(accounts, { recursive: true })
        symlinkSync(disk.directory, accounts)
      })
    }
    const { directory } = smallDisk
    await rota(stage)
    const refusal = page.getByText(t.failures.notSavedYet)
    // The app may just have moved its log into the file, which then has room for some more words.
    for (let tries = 0; tries < 10 && !(await refusal.isVisible()); tries++) {
      for (const file of globSync(`${directory}/*.db`)) cutLog(file)
      smallDisk.leave(0)
      await field(page).fill('The tide gauge reads high')
      await field(page).fill('The tide gauge reads high since the storm.')
      await refusal.waitFor({ timeout: 5_000 }).catch(() => {})
    }
    await refusal.waitFor()
    await diskBanner(page).waitFor()
    // The server answers, so this is not a problem of the connection.
    await page.getByTestId('sync-pill').filter({ hasText: t.allOrganizations.states.cannotSave }).waitFor()
  },
  'disk-with-room-again': async (stage) => {
    const { page } = stage
    if (smallDisk !== null) {
      const disk = smallDisk
      disk.empty()
      // The banner disappears by itself.
      await diskBanner(page).waitFor({ state: 'detached' })
      await moveAccounts(stage, (accounts) => {
        rmSync(accounts)
        cpSync(disk.directory, accounts, { recursive: true })
        smallDisk = null
        disk.remove()
      })
    }
    await rota(stage)
    await field(page).fill('')
  },
}

/** Screens while the service is away or two devices disagree, in the order in which they occur. */
export const troubleScreens: Screens = {
  'draft-in-conflict': async (stage) => {
    const compare = stage.page.getByTestId('draft-state').getByRole('button', { name: t.compose.compare })
    await openTopic(stage)
    // Asked of the page, the button of an earlier quarrel may not be drawn yet.
    if (!quarrelled.has(stage)) {
      quarrelled.add(stage)
      await quarrel(stage)
    }
    await compare.click()
    await stage.page.getByRole('dialog').getByText('Monday').first().waitFor()
  },
  'offline-topic': async (stage) => {
    const { page } = stage
    await rota(stage)
    await goOffline(stage)
    if ((await page.locator('[data-local-id]').count()) > 0) return
    for (const text of ['First from the tunnel.', 'Second from the tunnel.']) {
      await field(page).fill(text)
      await page.getByRole('button', { name: t.compose.queue, exact: true }).click()
      await page.locator('[data-local-id]', { hasText: text }).waitFor()
    }
  },
  'offline-not-kept': async ({ page }) => {
    await clear(page)
    await goTo(page, 'channel/1/topic/deployment%202021')
    await page.getByText(t.feed.empty.notKept.topic).waitFor()
  },
  'offline-outbox': async ({ page }) => {
    await clear(page)
    await goTo(page, 'drafts')
    await page.getByText('Second from the tunnel.').first().waitFor()
  },
  'offline-scheduled': async ({ page }) => {
    await clear(page)
    await goTo(page, 'scheduled')
    await page.locator('.later-row').nth(3).waitFor()
    const changing = page.getByText(t.later.scheduled.changing)
    if ((await changing.count()) === 0) {
      await page.locator('.later-row .open').nth(1).click()
      const dialog = page.getByRole('dialog', { name: t.later.scheduled.editTitle })
      await dialog
        .getByLabel(t.later.scheduled.text, { exact: true })
        .fill('Thanks everybody, the clamp is on again.')
      await dialog.getByRole('button', { name: t.shared.save }).click()
    }
    await changing.waitFor()
  },
  'offline-sync-panel': onInbox(async (page) => {
    await page.getByTestId('sync-pill').click()
    await page.getByRole('region', { name: t.mainWindow.sync.name }).waitFor()
  }),
  'offline-new-channel': async (stage) => {
    const { page } = stage
    await clear(page)
    await goTo(page, 'channels/subscribed')
    const made = page.locator('nav.sb').getByRole('treeitem', { name: 'tide-tables' })
    if ((await made.count()) === 0) {
      await page.getByRole('button', { name: t.channels.create.title }).click()
      await page.getByRole('textbox', { name: t.channels.general.name, exact: true }).fill('tide-tables')
      await page.getByRole('button', { name: t.channels.create.create }).click()
    }
    await page.keyboard.press('Escape')
    await made.click()
    await page.getByText(t.channels.creation.waiting('tide-tables')).waitFor()
  },
  'offline-search': async ({ page }) => {
    await clear(page)
    await goTo(page, 'search?text=drift')
    await page.locator('mark').first().waitFor()
  },
  'back-online': async (stage) => {
    await stage.stopService()
    await stage.startService()
    await openInbox(stage)
    await stage.page.locator('.sync.ok[data-testid="sync-pill"]').waitFor()
  },
  ...(canMount ? diskScreens : {}),
}

const countsPlace = 'channel/2/topic/quadrats%2012%20to%2018'
const lateCount = 'Nine of twelve are counted, the rest is under water until four.'

/** The person loses access to a channel after writing in it, before their message arrives. */
async function writeLate(stage: Stage): Promise<void> {
  const { page } = stage
  await feed(countsPlace)(stage)
  await goOffline(stage)
  await field(page).fill(lateCount)
  await page.getByRole('button', { name: t.compose.queue, exact: true }).click()
  await page.locator('[data-local-id]', { hasText: lateCount }).waitFor()
  await stage.stopApp()
  await stage.startService()
  const posting = JSON.stringify({
    new: { direct_members: [stage.other.user_id], direct_subgroups: [] },
  })
  await stage.ask('PATCH', '/streams/2', { can_send_message_group: posting }, stage.other)
  await stage.startApp()
}

const signedOut = (page: Page) =>
  page.getByTestId('sync-pill').filter({ hasText: t.allOrganizations.states.signedOut })

/** What the server refuses: a message, and the key. These come last, because neither can be undone. */
export const refusalScreens: Screens = {
  'refused-message': async (stage) => {
    const refusal = stage.page.locator('.refusal')
    await feed(countsPlace)(stage)
    if ((await refusal.count()) === 0) {
      await writeLate(stage)
      await feed(countsPlace)(stage)
    }
    await refusal.waitFor()
    await refusal.scrollIntoViewIfNeeded()
  },
  'refused-draft': async (stage) => {
    const { page } = stage
    // No server accepts such a topic.
    await clear(page)
    await goTo(page, `channel/1/topic/${encodeURIComponent('spring tides\0')}`)
    await field(page).fill('Who takes the boat on Friday?')
    await page.getByTestId('draft-state').getByText(t.compose.draft.refused).click()
    await page.getByRole('dialog', { name: t.compose.history.name }).waitFor()
  },
  'refused-in-outbox': async ({ page }) => {
    await clear(page)
    await goTo(page, 'drafts')
    await heading(page, t.drafts.name)
    await page.getByText(lateCount).waitFor()
  },
  'refused-message-reviewed': async ({ page }) => {
    await clear(page)
    await goTo(page, 'drafts')
    await page.getByRole('button', { name: t.drafts.review, exact: true }).first().click()
    await page.getByRole('dialog', { name: t.drafts.refusal.title }).waitFor()
  },
  'key-refused': async (stage) => {
    await openTopic(stage)
    if ((await signedOut(stage.page).count()) > 0) return
    await stage.ask('POST', '/users/me/api_key/regenerate')
    // The request that is open with the old key must end before the window notices.
    await stage.stopService()
    await stage.startService()
    await signedOut(stage.page).waitFor()
  },
  'signing-in-again': async (stage) => {
    await openTopic(stage)
    await signedOut(stage.page).click()
    await stage.page.getByRole('dialog', { name: t.mainWindow.signInAgain.title }).waitFor()
  },
}
