import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelColorValues } from '../../src-shared/model/channel-color.ts'
import { goTo, setInsets } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// Channels in a real window: finding, joining, configuring and leaving them by keyboard, also without the server, with
// the results seen on another device.

let stage: Stage
let page: Page

const joinable = ['estuary-talks', 'gull-ringing', 'hut-library']
const dialog = () => page.getByRole('dialog', { name: 'Channels' })
const row = (name: string) => dialog().getByRole('link', { name: new RegExp(`^${name} `) })
const inSidebar = (name: string) => page.locator('nav.sb').getByRole('treeitem', { name })
const waits = () => dialog().locator('.cd').getByRole('img', { name: 'Waiting for the server' })
/** The server's data about the person's subscription; undefined if there is none. */
const onServer = async (name: string) => {
  // The envelope of the service's own answer.
  const { subscriptions } = (await stage.ask('GET', '/users/me/subscriptions')) as {
    subscriptions: (Record<string, unknown> & { name: string })[]
  }
  return subscriptions.find((one) => one.name === name)
}
const openList = async (place: string) => {
  await goTo(page, `channels/${place}`)
  await dialog().waitFor()
}
/** Runs an action of the palette by its name. */
const call = async (words: string) => {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(`>${words}`)
  await page.getByRole('option', { name: words }).first().waitFor()
  await page.keyboard.press('Enter')
}

beforeAll(async () => {
  stage = await openStage()
  page = stage.page
  for (const name of joinable)
    await stage.ask(
      'POST',
      '/channels/create',
      { name, description: `About ${name}`, subscribers: `[${stage.other.user_id}]` },
      stage.other,
    )
  await stage.signIn()
})
afterAll(() => stage?.close())

test('a channel is found and joined by keyboard, and stands in the sidebar', async () => {
  await call('Browse channels')
  await dialog().waitFor()
  // In a low window the dialog begins below the system's own buttons.
  const size = page.viewportSize() ?? { width: 1440, height: 900 }
  await page.setViewportSize({ width: 640, height: 480 })
  const top = async () => (await dialog().boundingBox())?.y
  expect(await top()).toBe(24)
  await setInsets(page, 0, 138)
  expect(await top()).toBe(48)
  await setInsets(page, 0, 0)
  await page.setViewportSize(size)
  const field = dialog().getByRole('searchbox', { name: 'Find a channel' })
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  await row('estuary-talks').waitFor()
  await page.keyboard.type('gull')
  await expect.poll(() => dialog().locator('a.clr').count()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await dialog().getByRole('heading', { name: 'gull-ringing' }).waitFor()
  await dialog().getByRole('button', { name: 'Join', exact: true }).press('Enter')
  await dialog().getByRole('button', { name: 'Leave', exact: true }).waitFor()
  await expect.poll(async () => (await onServer('gull-ringing')) !== undefined).toBe(true)
  await dialog().getByText('No match for “gull”.').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await inSidebar('gull-ringing').waitFor()
  expect(new URL(page.url()).hash).not.toContain('channels')
})

test('a channel is left, joined, read and created by keys', async () => {
  await openList('all')
  await row('gull-ringing').click()
  await dialog().getByRole('heading', { name: 'gull-ringing' }).waitFor()
  // In a text field, a letter is only a letter.
  await dialog().getByRole('searchbox').press('Shift+S')
  await dialog().getByRole('searchbox').press('Backspace')
  await row('gull-ringing').focus()
  await page.keyboard.press('Shift+S')
  await dialog().getByRole('button', { name: 'Join', exact: true }).waitFor()
  await expect.poll(async () => (await onServer('gull-ringing')) === undefined).toBe(true)
  await page.keyboard.press('Shift+S')
  await dialog().getByRole('button', { name: 'Leave', exact: true }).waitFor()
  await expect.poll(async () => (await onServer('gull-ringing')) !== undefined).toBe(true)
  await page.keyboard.press('n')
  await dialog().getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.type('wader-rings')
  await dialog().getByRole('textbox', { name: 'Description' }).fill('Rings that were read')
  await dialog()
    .getByRole('radio', { name: /^Private Invitation only/ })
    .press('Space')
  stage.service.child.kill('SIGSTOP')
  try {
    await page.keyboard.press('Enter')
    await row('wader-rings').getByRole('img', { name: 'Waiting for the server' }).waitFor()
    await row('wader-rings').focus()
  } finally {
    stage.service.child.kill('SIGCONT')
  }
  await expect
    .poll(() => onServer('wader-rings'))
    .toMatchObject({ invite_only: true, description: 'Rings that were read' })
  // The row keeps the focus under its new id, so a letter does not go into the field.
  await row('wader-rings').getByRole('img', { name: 'Waiting for the server' }).waitFor({ state: 'detached' })
  await expect.poll(() => row('wader-rings').evaluate((one) => one === document.activeElement)).toBe(true)
  // The created channel is open.
  await page.keyboard.press('Shift+V')
  await dialog().waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'wader-rings', level: 1 }).waitFor()
})

test('it is muted, pinned, coloured and made to notify', async () => {
  await inSidebar('gull-ringing').click()
  await page.getByRole('heading', { name: 'gull-ringing', level: 1 }).waitFor()
  // The number of people leads to them.
  await page.getByRole('link', { name: /^\d+ (person|people)$/ }).click()
  await dialog().getByRole('tab', { name: 'People', selected: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Channel settings' }).click()
  await dialog().getByRole('tab', { name: 'Personal', selected: true }).waitFor()
  await dialog().getByRole('switch', { name: 'Mute this channel' }).press('Space')
  await dialog().getByRole('switch', { name: 'Pin to the top of the sidebar' }).press('Space')
  await dialog().getByRole('radio', { name: 'Moss' }).press(' ')
  const sound = dialog().getByRole('radiogroup', { name: 'Sound' })
  await sound.getByRole('radio', { name: 'On' }).press(' ')
  await expect
    .poll(() => onServer('gull-ringing'))
    .toMatchObject({
      is_muted: true,
      pin_to_top: true,
      color: channelColorValues.moss,
      audible_notifications: true,
      desktop_notifications: null,
    })
  expect(await sound.getByRole('radio', { name: 'On' }).isChecked()).toBe(true)
  await sound.getByRole('radio', { name: 'Default, off' }).press(' ')
  await expect.poll(() => onServer('gull-ringing')).toMatchObject({ audible_notifications: false })
  expect(await sound.getByRole('radio', { name: 'Default, off' }).isChecked()).toBe(true)
})

test('the parts are reached by arrow keys, have addresses of their own, and are there after a restart', async () => {
  await dialog().getByRole('tab', { name: 'Personal' }).focus()
  await page.keyboard.press('ArrowRight')
  await dialog()
    .getByRole('tab', { name: /^People/, selected: true })
    .waitFor()
  const other = stage.service.accounts[1]?.full_name ?? ''
  await dialog().getByRole('listitem').filter({ hasText: other }).waitFor()
  await page.reload()
  await dialog()
    .getByRole('tab', { name: /^People/, selected: true })
    .waitFor()
  await dialog().getByRole('heading', { name: 'gull-ringing' }).waitFor()
  // Nothing is looked for where the dialog opens for one channel.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('channel-tab-people')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await dialog().getByText('Public: everyone in the organization').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('another device’s choice is seen here', async () => {
  await openList('subscribed')
  await row('gull-ringing').getByRole('img', { name: 'Muted' }).waitFor()
  const own = await onServer('gull-ringing')
  const change = { stream_id: own?.['stream_id'], property: 'is_muted', value: false }
  await stage.ask('POST', '/users/me/subscriptions/properties', {
    subscription_data: JSON.stringify([change]),
  })
  await row('gull-ringing').getByRole('img', { name: 'Muted' }).waitFor({ state: 'detached' })
  await stage.ask('POST', '/users/me/subscriptions', { subscriptions: '[{"name":"hut-library"}]' })
  await row('hut-library').waitFor()
})

test('who may settle a channel changes what it is called, who sees it and who may write', async () => {
  const id = Number((await onServer('gull-ringing'))?.['stream_id'])
  const { user_groups } = (await stage.ask('GET', '/user_groups')) as {
    user_groups: { id: number; name: string }[]
  }
  const moderators = user_groups.find(({ name }) => name === 'role:moderators')?.id
  await openList(`${id}/permissions`)
  await dialog().getByText('Only administrators of the organization').waitFor()
  expect(await dialog().locator('.hp button').count()).toBe(0)
  const holders = { direct_members: [stage.own.user_id, stage.other.user_id], direct_subgroups: [] }
  const given = { can_administer_channel_group: JSON.stringify({ new: holders }) }
  await stage.ask('PATCH', `/streams/${id}`, given, stage.other)

  const posting = dialog().getByRole('group', { name: 'Who can post' })
  await posting.getByRole('button', { name: 'Add groups or people: Who can post' }).press('Enter')
  await page.getByRole('searchbox', { name: 'Find groups and people' }).fill('moder')
  await page.getByRole('button', { name: 'Moderators' }).waitFor()
  // Enter chooses the first result.
  await page.keyboard.press('Enter')
  await posting.getByRole('button', { name: 'Remove Everyone' }).press('Enter')
  await expect.poll(() => onServer('gull-ringing')).toMatchObject({ can_send_message_group: moderators })
  expect(await posting.textContent()).toContain('Moderators')
  await dialog().getByText('Private', { exact: true }).click()
  await expect.poll(() => onServer('gull-ringing')).toMatchObject({ invite_only: true })
  const archive = dialog().getByRole('button', { name: 'Archive channel' })
  for (const key of ['Enter', 'Escape']) {
    await archive.press('Enter')
    await dialog().getByRole('button', { name: 'Archive for everyone' }).waitFor()
    await page.keyboard.press(key)
    await expect.poll(() => archive.evaluate((node) => node === document.activeElement)).toBe(true)
  }

  await dialog().getByRole('tab', { name: 'General' }).click()
  const name = dialog().getByRole('textbox', { name: 'Name' })
  await name.fill('rings')
  await page.keyboard.press('Escape')
  expect(await name.inputValue()).toBe('gull-ringing')
  await name.fill('gull-rings')
  await page.keyboard.press('Enter')
  await dialog().getByRole('heading', { name: 'gull-rings' }).waitFor()
  await dialog().getByRole('textbox', { name: 'Description' }).fill('Rings read and rings put on')
  await page.keyboard.press('Tab')
  await dialog().getByRole('combobox', { name: 'Folder' }).selectOption({ index: 1 })
  await expect
    .poll(() => onServer('gull-rings'))
    .toMatchObject({
      description: 'Rings read and rings put on',
      folder_id: expect.any(Number),
    })
  await name.fill('gull-ringing')
  await page.keyboard.press('Enter')
  await dialog().getByRole('heading', { name: 'gull-ringing' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await openList(`${id}/permissions`)
  await dialog().getByText('Public', { exact: true }).click()
  await expect.poll(() => onServer('gull-ringing')).toMatchObject({ invite_only: false })
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('people are put into a channel by name and taken out, with a way back', async () => {
  const id = Number((await onServer('gull-ringing'))?.['stream_id'])
  const members = async () =>
    ((await stage.ask('GET', `/streams/${id}/members`)) as { subscribers: number[] }).subscribers.length
  const before = await members()
  await openList(`${id}/people`)
  await dialog().getByRole('button', { name: 'Add people' }).press('Enter')
  await page.getByRole('searchbox', { name: 'Find people to add' }).fill('odhran')
  await page.getByRole('button', { name: 'Odhran Keane' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(members).toBe(before + 1)
  await page.keyboard.press('Escape')
  const remove = dialog().getByRole('button', { name: 'Remove Odhran Keane' })
  await remove.press('Enter')
  await expect.poll(members).toBe(before)
  await remove.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(members).toBe(before + 1)
  await remove.waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('the open channel is muted and left from the palette', async () => {
  await inSidebar('hut-library').click()
  await page.getByRole('heading', { name: 'hut-library', level: 1 }).waitFor()
  await call('Mute channel')
  await expect.poll(() => onServer('hut-library')).toMatchObject({ is_muted: true })
  await call('Leave channel')
  await expect.poll(() => onServer('hut-library')).toBe(undefined)
  await expect.poll(() => inSidebar('hut-library').count()).toBe(0)
  // A person who reads a channel without being in it sees so, and can join at once.
  const join = page.getByRole('button', { name: 'Join', exact: true })
  await join.click()
  await join.waitFor({ state: 'detached' })
  await expect.poll(async () => (await onServer('hut-library')) !== undefined).toBe(true)
  await inSidebar('hut-library').waitFor()
  await call('Leave channel')
  await page.getByText('You left #hut-library.').waitFor()
  await expect.poll(() => onServer('hut-library')).toBe(undefined)
  await page.getByRole('button', { name: 'Undo' }).click()
  await inSidebar('hut-library').waitFor()
  await expect.poll(async () => (await onServer('hut-library')) !== undefined).toBe(true)
  await call('Leave channel')
  await expect.poll(() => onServer('hut-library')).toBe(undefined)
})

test('a channel with an unread message that the person left is read without holes', async () => {
  await stage.ask('DELETE', '/users/me/subscriptions', { subscriptions: '["papers"]' })
  await inSidebar('papers').waitFor({ state: 'detached' })
  // The answer's form by the specification.
  const { stream_id } = (await stage.ask('GET', '/get_stream_id', { stream: 'papers' })) as {
    stream_id: number
  }
  await goTo(page, `channel/${stream_id}`)
  await expect.poll(() => page.locator('.msg').count()).toBeGreaterThan(5)
  await expect.poll(() => page.locator('.feed').getByText('Loading messages').count()).toBe(0)
})

test('without the server leaving and coming back leave nothing to send; the rest waits, and goes', async () => {
  await openList('subscribed')
  await row('gull-ringing').click()
  await dialog().getByRole('button', { name: 'Leave', exact: true }).waitFor()
  await stage.stopService()
  await page.locator('.sync.off[data-testid="sync-pill"]').waitFor()
  await dialog().getByRole('button', { name: 'Leave', exact: true }).click()
  await waits().waitFor()
  await dialog().getByRole('button', { name: 'Join', exact: true }).click()
  await dialog().getByRole('button', { name: 'Leave', exact: true }).waitFor()
  await waits().waitFor({ state: 'detached' })

  // Nobody can join this channel any more by the time the server is back.
  await dialog().getByText('Available', { exact: true }).click()
  await row('estuary-talks').click()
  await dialog().getByRole('button', { name: 'Join', exact: true }).click()
  await waits().waitFor()
  await stage.startService()
  await page.locator('.sync.ok[data-testid="sync-pill"]').waitFor()
  await expect.poll(async () => (await onServer('estuary-talks')) !== undefined).toBe(true)
  await waits().waitFor({ state: 'detached' })
})

test('a channel that is created without the server is written into, and called otherwise where its name was taken', async () => {
  await goTo(page, 'inbox')
  await stage.stopService()
  await page.locator('.sync.off[data-testid="sync-pill"]').waitFor()
  await call('Create a new channel')
  // The button of the list opens the form as well.
  await dialog().getByRole('heading', { name: 'New channel' }).waitFor()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await dialog().getByRole('button', { name: 'New channel' }).click()
  // In a narrow window, the field stays on the line of its label.
  const wide = page.viewportSize() ?? { width: 1440, height: 900 }
  for (const width of [801, 900]) {
    await page.setViewportSize({ ...wide, width })
    const labelled = await dialog().getByText('Description', { exact: true }).boundingBox()
    const written = await dialog().getByRole('textbox', { name: 'Description' }).boundingBox()
    if (labelled === null || written === null) throw new Error('the form is not there')
    expect(written.y).toBeLessThan(labelled.y + labelled.height)
  }
  await page.setViewportSize(wide)
  await dialog().getByRole('textbox', { name: 'Name' }).fill('tide-tables')
  await dialog().getByRole('textbox', { name: 'Description' }).fill('Low and high water')
  await page.keyboard.press('Escape')
  await dialog().getByRole('button', { name: 'New channel' }).click()
  expect(await dialog().getByRole('textbox', { name: 'Name' }).inputValue()).toBe('tide-tables')
  expect(await dialog().getByRole('textbox', { name: 'Description' }).inputValue()).toBe('Low and high water')
  await dialog().getByRole('button', { name: 'Create channel' }).click()
  const queued = '#tide-tables is queued. What you write here is kept, and sent once the channel is created.'
  await dialog().getByText(queued).waitFor()
  await row('tide-tables').getByRole('img', { name: 'Waiting for the server' }).waitFor()
  // The keyboard continues at the new channel.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('tide-tables')
  // The next step is to add people, and the other is to write there.
  await dialog().getByRole('tab', { name: 'People', selected: true }).waitFor()
  await dialog().getByRole('link', { name: 'Open channel' }).click()
  await dialog().waitFor({ state: 'detached' })
  await inSidebar('tide-tables').getByRole('img', { name: 'Waiting for the server' }).waitFor()
  await page.getByText(queued).waitFor()
  await page.getByText('Nothing here yet').waitFor()
  const ownId = new URL(page.url()).hash.split('/').at(-1) ?? ''
  await goTo(page, `channel/${ownId}/topic/spring%20tides`)
  await page.getByLabel('Message', { exact: true }).fill('Printed for the whole year.')
  await page.getByRole('button', { name: 'Queue', exact: true }).click()
  await page.locator('.feed').getByText('Printed for the whole year.').waitFor()

  await stage.stopApp()
  await stage.startService()
  await stage.ask(
    'POST',
    '/channels/create',
    { name: 'tide-tables', subscribers: `[${stage.other.user_id}]` },
    stage.other,
  )
  await stage.startApp()
  // The row that needs the person leads to a place where they can act, and explains what discarding means.
  await page.getByTestId('sync-pill').filter({ hasText: '1 change needs you' }).click()
  const waits = page.getByRole('link', { name: /New channel #tide-tables Not created\./ })
  await waits.press('Delete')
  const discarding = page.getByRole('alertdialog')
  await discarding.getByText('What you wrote for it is kept in Drafts.').waitFor()
  await discarding.getByRole('button', { name: 'Cancel' }).click()
  await waits.press('Enter')
  await expect.poll(() => page.url()).toMatch(new RegExp(`/channel/${ownId}$`))
  await page.getByRole('alert').getByText('A channel named #tide-tables already exists.').waitFor()
  // So does its row among the drafts and what waits: to everything that was entered.
  await goTo(page, 'drafts')
  await page.locator('.failr', { hasText: 'tide-tables' }).getByRole('link', { name: 'Review' }).click()
  await dialog().getByRole('alert').getByText('A channel named #tide-tables already exists.').waitFor()
  await dialog().getByRole('tab', { name: 'General', selected: true }).waitFor()
  expect(await dialog().getByRole('textbox', { name: 'Another name' }).inputValue()).toBe('tide-tables')
  await goTo(page, `channel/${ownId}`)
  await dialog().waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: 'Another name' }).fill('tide-tables-printed')
  await page.getByRole('button', { name: 'Create channel' }).click()
  await expect.poll(async () => (await onServer('tide-tables-printed')) !== undefined).toBe(true)
  // The window continues in the channel under its new id.
  const id = (await onServer('tide-tables-printed'))?.['stream_id']
  await expect.poll(() => new URL(page.url()).hash).toContain(`/channel/${String(id)}`)
  await page.locator('.feed .msg').getByText('Printed for the whole year.').waitFor()
  await expect
    .poll(() => inSidebar('tide-tables-printed').getByRole('img', { name: 'Waiting for the server' }).count())
    .toBe(0)
})

test('a channel that was archived meanwhile is not joined, and told why', async () => {
  await openList('available')
  await row('hut-library').click()
  await dialog().getByRole('button', { name: 'Join', exact: true }).waitFor()
  const { streams } = (await stage.ask('GET', '/streams')) as {
    streams: { name: string; stream_id: number }[]
  }
  const id = streams.find(({ name }) => name === 'hut-library')?.stream_id
  await stage.stopService()
  await page.locator('.sync.off[data-testid="sync-pill"]').waitFor()
  await dialog().getByRole('button', { name: 'Join', exact: true }).click()
  await waits().waitFor()
  await stage.stopApp()
  await stage.startService()
  await stage.ask('DELETE', `/streams/${id}`, {}, stage.other)
  await stage.startApp()
  await openList(`${id}/general?list=all`)
  await dialog().getByRole('alert').getByText('Not joined. #hut-library is archived.').waitFor()
  await dialog().getByRole('button', { name: 'Dismiss' }).click()
  await dialog().getByRole('alert').waitFor({ state: 'detached' })
})
