import { topicConversation } from '../../src-shared/model/conversation.ts'
import { languageFor, speak, t } from '../../src-shared/texts/texts.ts'
import { openDevice } from '../support/device.ts'
import { goTo } from './browser.ts'
import { clear, feed, field, goOffline, onInbox, openInbox, openTopic, type Screens } from './screen-ways.ts'
import type { Stage } from './stage.ts'

const gauge = topicConversation(1, 'gauge 4 offset drift')

/** One draft is edited at the same place on two devices that do not hear of each other. */
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
  // The device in this process speaks its own language.
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
  const mondays = text.replace('Friday', 'Monday')
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

/** What is seen while the service is away, or two devices disagree, in the order in which it happens. */
export const troubleScreens: Screens = {
  'draft-in-conflict': async (stage) => {
    const compare = stage.page.getByTestId('draft-state').getByRole('button', { name: t.compose.compare })
    await openTopic(stage)
    if ((await compare.count()) === 0) await quarrel(stage)
    await compare.click()
    await stage.page.getByRole('dialog').getByText('Monday').first().waitFor()
  },
  'offline-topic': async (stage) => {
    const { page } = stage
    await feed('channel/1/topic/battery%20swap%20rota')(stage)
    await goOffline(stage)
    if ((await page.locator('[data-local-id]').count()) > 0) return
    for (const text of ['First from the tunnel.', 'Second from the tunnel.']) {
      await field(page).fill(text)
      await page.getByRole('button', { name: t.compose.queue, exact: true }).click()
      await page.locator('[data-local-id]', { hasText: text }).waitFor()
    }
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
    await page.keyboard.press('j')
    await page.keyboard.press('Delete')
    await page.getByText(t.later.scheduled.deleted).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText(t.later.scheduled.waiting).waitFor()
  },
  'offline-sync-panel': onInbox(async (page) => {
    await page.getByTestId('sync-pill').click()
    await page.getByRole('region', { name: t.mainWindow.sync.name }).waitFor()
  }),
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
}
