import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { ask, goTo, signIn } from './browser.ts'
import { openAppStage, type AppStage } from './stage.ts'

// Messages and topics move, and their readers find them in the new place.

let stage: AppStage
let page: Page
let service: TestService
let own: ReturnType<TestService['createUser']>
let other: ReturnType<TestService['createUser']>
let channel: number
let maps: number

beforeAll(async () => {
  service = await startService()
  own = service.createUser('Maren Aske')
  other = service.createUser('Keiko Tamura')
  channel = service.createChannel('gauges', [own.userId, other.userId])
  maps = service.createChannel('maps', [own.userId, other.userId])
  stage = await openAppStage({ window: { viewport: { width: 1200, height: 800 } } })
  page = stage.page
  await signIn(page, service.baseUrl, own)
})

afterAll(async () => {
  await stage?.close()
  await service?.close()
})

const topic = (name: string, near?: number) =>
  goTo(page, `channel/${channel}/topic/${name}${near === undefined ? '' : `?near=${near}`}`)
const row = (id: number) => page.locator(`.msg[data-message-id="${id}"]`)
const press = (key: string) => page.keyboard.press(key)

test('a topic is resolved, taken up again and renamed, and the feed goes along', async () => {
  const id = service.send(other.userId, channel, 'clamp', 'it is loose')
  await topic('clamp')
  await row(id).waitFor()
  await page.getByRole('button', { name: 'Mark as resolved' }).click()
  await page.waitForURL(/%E2%9C%94%20clamp/)
  await row(id).waitFor()
  await page.getByRole('button', { name: 'Mark as unresolved' }).click()
  await page.waitForURL(/topic\/clamp/)
  await row(id).focus()
  await press('m')
  // Topics of the channel are suggested. The typed name comes first, so that Enter never chooses another.
  const to = page.getByRole('combobox', { name: 'Topic' })
  await to.fill('clam')
  await page.getByRole('option', { name: 'clamp', exact: true }).waitFor()
  await to.fill('loose clamp')
  await page.getByRole('option', { name: 'loose clamp' }).waitFor()
  await to.press('Enter')
  expect(await to.inputValue()).toBe('loose clamp')
  await page.getByText('All messages in this topic').click()
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.waitForURL(/topic\/loose%20clamp/)
  await row(id).waitFor()
  expect(
    service.database.get<{ topic: string }>('SELECT topic FROM messages WHERE message_id = ?', id),
  ).toEqual({ topic: 'loose clamp' })

  await row(id).hover()
  await row(id).getByRole('button', { name: 'Moved' }).click()
  await page.getByRole('dialog').getByText('from “clamp”').first().waitFor()
  await press('Escape')
  await expect
    .poll(() =>
      page.evaluate(() => document.activeElement?.closest<HTMLElement>('.msg')?.dataset['messageId']),
    )
    .toBe(String(id))
})

test('a topic that somebody else renames is followed, with a line that says so, and a link finds its message', async () => {
  const id = service.send(other.userId, channel, 'hinge', 'it squeaks')
  service.send(other.userId, channel, 'hinge', 'still')
  await topic('hinge')
  await row(id).waitFor()
  const move = (form: Record<string, string>) => ask(service.baseUrl, other, 'PATCH', `/messages/${id}`, form)
  await move({ topic: 'oiled hinge', propagate_mode: 'change_all' })
  await page.waitForURL(/topic\/oiled%20hinge/)
  await row(id).waitFor()
  await page.getByRole('status').filter({ hasText: 'This topic is now called “oiled hinge”.' }).waitFor()
  // A topic that lost only one message stays open.
  await move({ topic: 'squeaks', propagate_mode: 'change_one' })
  await expect.poll(() => row(id).count()).toBe(0)
  expect(page.url()).toContain('topic/oiled%20hinge')
  // An old link leads to where the message is now.
  await topic('oiled%20hinge', id)
  await page.waitForURL(/topic\/squeaks/)
  await row(id).waitFor()
})

test('whoever writes, reads or edits in a topic goes on when somebody else renames it, and no word becomes a shortcut', async () => {
  const id = service.send(other.userId, channel, 'chain', 'who has the shackle?')
  const mine = service.send(own.userId, channel, 'chain', 'I do')
  await topic('chain')
  await row(mine).waitFor()
  const rename = async (name: string) => {
    await ask(service.baseUrl, other, 'PATCH', `/messages/${id}`, {
      topic: name,
      propagate_mode: 'change_all',
    })
    await page.waitForURL(new RegExp(`topic/${name}`))
    // Until the new place is drawn, the old one has the focus.
    await page.locator('.cmp').getByText(name, { exact: true }).waitFor()
    await row(id).waitFor()
  }
  const field = page.getByLabel('Message', { exact: true })
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest<HTMLElement>('.msg')?.dataset['row'])
  await press('r')
  await page.keyboard.type('in the locker')
  for (let step = 0; step < 6; step++) await press('ArrowLeft')
  await rename('anchor')
  const caret = () =>
    field.evaluate((one: HTMLTextAreaElement) => (one === document.activeElement ? one.selectionStart : null))
  await expect.poll(caret).toBe('in the '.length)
  await page.keyboard.type('forward ')
  expect(await field.inputValue()).toBe('in the forward locker')
  await field.fill('')
  await press('Escape')
  await press('Home')
  await expect.poll(focused).toBe(String(id))
  await rename('rode')
  await expect.poll(focused).toBe(String(id))
  await press('j')
  await press('e')
  const edited = page.getByLabel('Edit message')
  await edited.waitFor()
  await page.keyboard.type(' now')
  await rename('hawser')
  await expect.poll(() => edited.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await edited.inputValue()).toBe('I do now')
  await press('Escape')
})

test('a dialog stays open while its topic is renamed, with what was entered, and acts on the topic by its new name', async () => {
  const id = service.send(other.userId, channel, 'winch', 'the winch slips')
  await topic('winch')
  await row(id).waitFor()
  const rename = async (name: string) => {
    await ask(service.baseUrl, other, 'PATCH', `/messages/${id}`, {
      topic: name,
      propagate_mode: 'change_all',
    })
    await page.waitForURL(new RegExp(`topic/${name}`))
    await page.locator(`.msg[data-message-id="${id}"]`).waitFor()
  }
  await row(id).focus()
  await press('m')
  const dialog = page.getByRole('dialog', { name: 'Move messages' })
  const to = dialog.getByRole('combobox', { name: 'Topic' })
  // Until something is entered, the field follows.
  await expect.poll(() => to.inputValue()).toBe('winch')
  await rename('capstan')
  await expect.poll(() => to.inputValue()).toBe('capstan')
  await to.fill('windlass')
  await rename('drum')
  expect(await to.inputValue()).toBe('windlass')
  expect(await to.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.type(' aft')
  await dialog.getByText('All messages in this topic').click()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await page.waitForURL(/topic\/windlass%20aft/)
  await row(id).waitFor()
  await expect
    .poll(() =>
      service.database.get<{ topic: string }>('SELECT topic FROM messages WHERE message_id = ?', id),
    )
    .toEqual({ topic: 'windlass aft' })

  await row(id).hover()
  await row(id).getByRole('button', { name: 'Moved' }).click()
  await page.getByRole('dialog').getByText('from “drum”').first().waitFor()
  await rename('spool')
  // The move of this moment is among them, too.
  await page.getByRole('dialog').getByText('from “windlass aft”').waitFor()
  await page.getByRole('dialog').getByText('from “drum”').first().waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect
    .poll(() =>
      page.evaluate(() => document.activeElement?.closest<HTMLElement>('.msg')?.dataset['messageId']),
    )
    .toBe(String(id))
  // So does the choice of an emoji, where it was.
  await press(':')
  const picker = page.getByRole('dialog', { name: 'Choose a reaction' })
  await picker.getByRole('combobox').fill('anch')
  const place = await picker.boundingBox()
  await rename('reel')
  await page.keyboard.type('or')
  expect(await picker.getByRole('combobox').inputValue()).toBe('anchor')
  expect(await picker.boundingBox()).toEqual(place)
  await press('Enter')
  await picker.waitFor({ state: 'detached' })
  await row(id).locator('.rx').getByRole('button', { name: 'anchor' }).waitFor()
  // Another topic closes it.
  await row(id).hover()
  await row(id).getByRole('button', { name: 'Moved' }).click()
  await page.getByRole('dialog').waitFor()
  service.send(other.userId, channel, 'elsewhere', 'calm')
  await topic('elsewhere')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('whoever enters a topic in a dialog goes on when somebody else moves it to another channel', async () => {
  const id = service.send(other.userId, channel, 'keel', 'it needs paint')
  await topic('keel')
  await row(id).focus()
  await press('m')
  const to = page.getByRole('dialog', { name: 'Move messages' }).getByRole('combobox', { name: 'Topic' })
  await expect.poll(() => to.inputValue()).toBe('keel')
  await to.fill('keel and')
  await byOwner(`/messages/${id}`, { stream_id: String(maps), propagate_mode: 'change_all' })
  await page.waitForURL(new RegExp(`channel/${maps}/topic/keel`))
  await page.locator(`.msg[data-message-id="${id}"]`).waitFor()
  await page.keyboard.type(' rudder')
  await expect.poll(() => to.inputValue()).toBe('keel and rudder')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('a refused message is shown with the place that its topic moved to', async () => {
  const id = service.send(other.userId, channel, 'bilge', 'it is dry')
  await topic('bilge')
  await row(id).waitFor()
  // So far, only the server knows that nobody may write here.
  service.database.run('UPDATE channels SET is_archived = 1 WHERE channel_id = ?', channel)
  try {
    await page.getByLabel('Message', { exact: true }).fill('not any more')
    await press('Control+Enter')
    await page.locator('.msg.q .refusal').waitFor()
  } finally {
    await byOwner(`/streams/${channel}`, { is_archived: 'false' })
  }
  await page.locator('.msg.q').getByRole('button', { name: 'Review…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your message wasn’t sent' })
  await dialog.getByText('gauges', { exact: true }).waitFor()
  await byOwner(`/messages/${id}`, { stream_id: String(maps), propagate_mode: 'change_all' })
  await page.waitForURL(new RegExp(`channel/${maps}/topic/bilge`))
  await dialog.getByText('maps', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.locator('.msg:not(.q)', { hasText: 'not any more' }).waitFor()
  // The button that led there is gone, and the focus with it.
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.msg') != null)).toBe(true)
})

test('which of several drafts was chosen goes along when somebody renames the topic', async () => {
  const id = service.send(other.userId, channel, 'tiller', 'it is stiff')
  await topic('tiller')
  await row(id).waitFor()
  const field = page.getByLabel('Message', { exact: true })
  const others = page.getByRole('button', { name: '1 draft' })
  await field.fill('oil it')
  await page.getByTestId('draft-state').getByText('Draft saved').waitFor()
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Keep as draft and start another' }).click()
  await expect.poll(() => field.inputValue()).toBe('')
  await others.waitFor()
  await ask(service.baseUrl, other, 'PATCH', `/messages/${id}`, {
    topic: 'helm',
    propagate_mode: 'change_all',
  })
  await page.waitForURL(/topic\/helm/)
  await row(id).waitFor()
  await others.waitFor()
  expect(await field.inputValue()).toBe('')
  await others.click()
  await page.getByRole('menuitem', { name: /oil it/ }).click()
  await expect.poll(() => field.inputValue()).toBe('oil it')

  // The same while something else is open: the chosen one is not the newest.
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Keep as draft and start another' }).click()
  await field.fill('or grease it')
  await page.getByTestId('draft-state').getByText('Draft saved').waitFor()
  await others.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '1 more draft' }).click()
  await page.getByRole('menuitem', { name: /oil it/ }).click()
  await expect.poll(() => field.inputValue()).toBe('oil it')
  await goTo(page, 'recent')
  await page.locator('main').getByText('helm').waitFor()
  await ask(service.baseUrl, other, 'PATCH', `/messages/${id}`, {
    topic: 'rudder',
    propagate_mode: 'change_all',
  })
  await page.locator('main').getByText('rudder').waitFor()
  await topic('rudder')
  await row(id).waitFor()
  await page.getByRole('button', { name: '1 more draft' }).waitFor()
  await expect.poll(() => field.inputValue()).toBe('oil it')
  await field.fill('')
})

test('a topic whose last message is deleted stays open, whatever was moved before', async () => {
  const moved = service.send(other.userId, channel, 'hatch', 'it leaks')
  await topic('hatch')
  await row(moved).waitFor()
  await page.getByRole('button', { name: 'Mark as resolved' }).click()
  await page.waitForURL(/%E2%9C%94%20hatch/)
  const id = service.send(other.userId, channel, 'buoy', 'written by mistake')
  await topic('buoy')
  await row(id).waitFor()
  await ask(service.baseUrl, other, 'DELETE', `/messages/${id}`)
  await row(id).waitFor({ state: 'detached' })
  expect(page.url()).toMatch(/topic\/buoy/)
})

test('whoever reads in the middle of a topic stays there when it is renamed', async () => {
  const ids = Array.from({ length: 40 }, (_, index) =>
    service.send(other.userId, channel, 'long', `line ${index}`),
  )
  const [first, middle, last] = [ids[0] ?? 0, ids[12] ?? 0, ids[39] ?? 0]
  await topic('long', last)
  await row(last).waitFor()
  await row(middle).scrollIntoViewIfNeeded()
  // Below it, messages grow by a line that says that they were moved.
  const firstInView = () =>
    page.locator('.msg[data-message-id]').evaluateAll((all) => {
      const found = all.find((one) => one.getBoundingClientRect().top >= 150)
      return found instanceof HTMLElement ? (found.dataset['messageId'] ?? null) : null
    })
  const before = await firstInView()
  await ask(service.baseUrl, other, 'PATCH', `/messages/${first}`, {
    topic: 'longer',
    propagate_mode: 'change_all',
  })
  await page.waitForURL(/topic\/longer/)
  await row(middle).waitFor()
  await expect.poll(firstInView).toBe(before)
})

test('by keys alone a message goes to another channel, and one goes after it', async () => {
  const [stays, goes] = ['the datum', 'the chart'].map((text) =>
    service.send(other.userId, channel, 'datum', text),
  )
  if (stays === undefined || goes === undefined) throw new Error('nothing was sent')
  await topic('datum')
  await row(goes).focus()
  await press('m')
  const chosen = page.getByRole('combobox', { name: 'Channel' })
  await expect.poll(() => chosen.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.type('maps')
  await press('Tab')
  await press('Control+A')
  await page.keyboard.type('charts')
  await page.getByRole('option', { name: 'charts' }).waitFor()
  // The typed name is chosen, and Tab moves on.
  await press('Tab')
  await press('ArrowUp')
  await expect.poll(() => page.getByLabel('This message').isChecked()).toBe(true)
  await press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => row(goes).count()).toBe(0)
  await row(stays).waitFor()
  await page.getByRole('button', { name: 'Go there' }).press('Enter')
  await page.waitForURL(new RegExp(`channel/${maps}/topic/charts`))
  await row(goes).waitFor()
  expect(await row(stays).count()).toBe(0)
})

test('a topic that waits to be resolved is taken up again by its menu, also through another message', async () => {
  const [first, last] = ['it leaks', 'it stopped'].map((text) =>
    service.send(other.userId, channel, 'pump', text),
  )
  await topic('pump')
  await row(last ?? 0).waitFor()
  const inMenu = async (words: string) => {
    await page.getByRole('treeitem', { name: /^pump/ }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: words, exact: true }).press('Enter')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }
  await service.stop()
  await stage.noticeGone()
  try {
    // By its first message, while the menu uses the newest.
    await row(first ?? 0).focus()
    await page.getByRole('button', { name: 'Mark as resolved' }).click()
    await page.getByRole('button', { name: 'Mark as unresolved' }).waitFor()
    await inMenu('Mark as unresolved')
    await page.getByRole('button', { name: 'Mark as resolved' }).waitFor()
    await inMenu('Mark as resolved')
    await page.getByRole('button', { name: 'Mark as unresolved' }).waitFor()
    // It is moved under the name that it will have by then.
    const name = page.getByRole('combobox', { name: 'Topic' })
    await inMenu('Rename or move…')
    await expect.poll(() => name.inputValue()).toBe('✔ pump')
    await name.fill('✔ bilge pump')
    await page.getByRole('button', { name: 'Move when you’re back online' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await inMenu('Rename or move…')
    await expect.poll(() => name.inputValue()).toBe('✔ bilge pump')
    await page.getByRole('combobox', { name: 'Channel' }).fill('maps')
    await page.getByRole('option', { name: 'maps' }).click()
    await page.getByRole('button', { name: 'Move when you’re back online' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  } finally {
    await service.start()
    await stage.noticeBack()
  }
  await page.waitForURL(new RegExp(`channel/${maps}/topic/%E2%9C%94%20bilge%20pump`))
})

const byOwner = (path: string, fields: Record<string, string>) =>
  ask(service.baseUrl, { email: service.owner.email, apiKey: service.owner.api_key }, 'PATCH', path, fields)

test('messages are moved only where they may be: what a channel requires of topics is said before', async () => {
  const id = service.send(other.userId, channel, 'valve', 'it sticks')
  const strict = service.createChannel('strict', [own.userId])
  const plain = service.createChannel('plain', [own.userId])
  const shut = service.createChannel('shut', [own.userId])
  await byOwner(`/streams/${strict}`, { topics_policy: 'disable_empty_topic' })
  await byOwner(`/streams/${plain}`, { topics_policy: 'empty_topic_only' })
  const only = { direct_members: [service.owner.user_id], direct_subgroups: [] }
  await byOwner(`/streams/${shut}`, { can_send_message_group: JSON.stringify({ new: only }) })
  await topic('valve')
  await row(id).focus()
  await press('m')
  const to = page.getByRole('combobox', { name: 'Channel' })
  const name = page.getByRole('combobox', { name: 'Topic' })
  const now = page.getByRole('button', { name: 'Move', exact: true })
  const choose = async (channelName: string) => {
    await to.fill(channelName)
    await page.getByRole('option', { name: channelName }).click()
  }
  // It has the focus once its text is selected.
  await expect.poll(() => to.evaluate((field) => field === document.activeElement)).toBe(true)
  await to.fill('s')
  await page.getByRole('option', { name: 'strict' }).waitFor()
  expect(await page.getByRole('option', { name: 'shut' }).count()).toBe(0)
  await choose('strict')
  await name.fill('')
  expect(await name.getAttribute('placeholder')).toBe('A topic is required')
  expect(await now.isDisabled()).toBe(true)
  await choose('plain')
  expect([await name.isDisabled(), await name.inputValue()]).toEqual([true, ''])
  await now.click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect
    .poll(() => service.database.get('SELECT channel_id, topic FROM messages WHERE message_id = ?', id))
    .toEqual({ channel_id: plain, topic: '' })

  // A topic keeps a name where it needs one.
  const named = service.send(other.userId, strict, 'bolt', 'it is tight')
  await goTo(page, `channel/${strict}/topic/bolt`)
  await row(named).waitFor()
  await page.getByRole('button', { name: 'Rename this topic' }).click()
  await page.getByLabel('New name of the topic').fill('')
  await page.getByPlaceholder('A topic is required', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Rename', exact: true }).isDisabled()).toBe(true)
  await press('Escape')
})
