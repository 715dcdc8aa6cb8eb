import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { ask, goTo, signIn } from './browser.ts'
import { openAppStage, type AppStage } from './stage.ts'

// What the server would refuse is not offered, and the box says why.

let stage: AppStage
let page: Page
let service: TestService
let own: ReturnType<TestService['createUser']>
let other: ReturnType<TestService['createUser']>
let runa: ReturnType<TestService['createUser']>
/** A channel that the person has not joined. */
let away: number

beforeAll(async () => {
  service = await startService()
  own = service.createUser('Maren Aske')
  other = service.createUser('Keiko Tamura')
  runa = service.createUser('Runa Berg')
  service.createUser('Ingrid Berg')
  away = service.createChannel('away', [other.userId])
  stage = await openAppStage({ window: { viewport: { width: 1200, height: 800 } } })
  page = stage.page
  await signIn(page, service.baseUrl, own)
})

afterAll(async () => {
  await stage?.close()
  await service?.close()
})

const byOwner = (method: string, path: string, fields: Record<string, string> = {}) =>
  ask(service.baseUrl, { email: service.owner.email, apiKey: service.owner.api_key }, method, path, fields)
const field = () => page.getByLabel('Message', { exact: true })
const send = () => page.getByRole('button', { name: 'Send', exact: true })
const why = (words: string) => page.locator('.cmp-note', { hasText: words })

test('somebody who has left is not written to', async () => {
  await goTo(page, `direct/${runa.userId}`)
  await page.getByLabel('Compose to Runa Berg').waitFor()
  await field().fill('Are you there?')
  await expect.poll(() => send().getAttribute('aria-disabled')).toBe('false')
  await byOwner('DELETE', `/users/${runa.userId}`)
  await why('You can’t write to Runa Berg. The account is deactivated.').waitFor()
  expect(await send().getAttribute('aria-disabled')).toBe('true')
  // Nor from the list of drafts: the draft opens in its box.
  await goTo(page, 'drafts')
  await page.locator('.dr', { hasText: 'Are you there?' }).getByRole('button', { name: 'Send' }).click()
  await why('You can’t write to Runa Berg. The account is deactivated.').waitFor()
  expect(await field().inputValue()).toBe('Are you there?')
  await field().fill('')
})

test('where direct messages are not allowed, the box for a new one says so', async () => {
  const only = JSON.stringify({ new: { direct_members: [], direct_subgroups: [] } })
  await byOwner('PATCH', '/realm', { direct_message_permission_group: only })
  await goTo(page, 'inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.keyboard.press('x')
  await page.getByRole('combobox', { name: 'Add someone' }).fill('kei')
  await page.getByRole('option', { name: 'Keiko Tamura' }).click()
  await why('Your organization doesn’t allow direct messages here.').waitFor()
  await field().fill('Boat at nine?')
  expect(await send().getAttribute('aria-disabled')).toBe('true')
  await field().fill('')
  await page.getByRole('button', { name: 'Close and keep the draft' }).click()
})

test('the topic without a name is closed once its channel requires topics', async () => {
  const channel = service.createChannel('strict', [own.userId, other.userId])
  const id = service.send(other.userId, channel, '', 'of no topic')
  await byOwner('PATCH', `/streams/${channel}`, { topics_policy: 'disable_empty_topic' })
  await goTo(page, `channel/${channel}/topic/`)
  await page.locator(`.msg[data-message-id="${id}"]`).waitFor()
  await why('A topic is required.').waitFor()
})

test('a channel without topics asks for none', async () => {
  const channel = service.createChannel('plain', [own.userId, other.userId])
  await byOwner('PATCH', `/streams/${channel}`, { topics_policy: 'empty_topic_only' })
  await goTo(page, `channel/${channel}`)
  await page.getByRole('button', { name: 'Write in plain' }).click()
  await page.getByLabel('Write in plain').waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Message')
  expect(await page.getByRole('combobox', { name: 'Topic' }).count()).toBe(0)
  await page.keyboard.type('Low water at noon.')
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(() => service.database.get('SELECT content, topic FROM messages WHERE channel_id = ?', channel))
    .toEqual({ content: 'Low water at noon.', topic: '' })

  // A topic that was typed before the channel was chosen goes with the field.
  await goTo(page, 'inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('combobox', { name: 'Topic' }).fill('ebb')
  await page.getByRole('combobox', { name: 'Channel' }).fill('plain')
  await page.getByRole('option', { name: 'plain' }).click()
  await page.getByRole('combobox', { name: 'Topic' }).waitFor({ state: 'detached' })
  await field().fill('High water at six.')
  await field().press('Control+Enter')
  await expect
    .poll(() =>
      service.database.all(
        'SELECT content, topic FROM messages WHERE channel_id = ? ORDER BY message_id',
        channel,
      ),
    )
    .toEqual([
      { content: 'Low water at noon.', topic: '' },
      { content: 'High water at six.', topic: '' },
    ])
})

test('who is not in a channel is said once all who are in it are known', async () => {
  // At first, this device knows nobody in it.
  service.send(other.userId, away, 'ebb', 'at noon')
  await goTo(page, `channel/${away}/topic/ebb`)
  await page.getByLabel('Compose to away, ebb').waitFor()
  await field().fill('@**Keiko Tamura** and @**Ingrid Berg**')
  await why('Ingrid Berg is not in #away and may not see this.').waitFor()
  expect(await page.locator('.cmp-note', { hasText: 'may not see this' }).count()).toBe(1)
  await field().fill('')
})

test('a message that is edited is checked like a new one', async () => {
  const crowd = Array.from({ length: 16 }, (_, number) => service.createUser(`Crowd ${number}`).userId)
  const channel = service.createChannel('square', [own.userId, ...crowd])
  const id = service.send(own.userId, channel, 'calls', 'look')
  await goTo(page, `channel/${channel}/topic/calls`)
  const row = page.locator(`.msg[data-message-id="${id}"]`)
  await row.focus()
  await page.keyboard.press('e')
  const edit = page.getByRole('textbox', { name: 'Edit message' })
  await edit.fill('look, @**all**')
  await why('Only some people can notify all 17 people in #square.').waitFor()
  await page.getByRole('button', { name: 'Mention silently' }).click()
  await expect.poll(() => edit.inputValue()).toBe('look, @_**all**')
  await page.locator('.cmp-note').waitFor({ state: 'detached' })
  await edit.fill('> @**all**')
  await expect.poll(() => page.locator('.cmp-note').count()).toBe(0)
  await page.keyboard.press('Escape')
})
