import { afterAll, beforeAll, expect, test } from 'vitest'
import { typeMoment } from './browser.ts'
import {
  closeWriting,
  openWriting,
  stage,
  page,
  field,
  draftState,
  chosenOption,
  keys,
  go,
  openTopic,
  onServer,
} from './writing-stage.ts'

// Whom a message is written to.

beforeAll(openWriting)
afterAll(closeWriting)

const focusedField = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

test('a new topic is begun with C, addressed by keyboard and can be undone', async () => {
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await keys.press('c')
  await page.getByRole('combobox', { name: 'Channel' }).waitFor()
  await expect.poll(focusedField).toBe('Channel')
  await keys.type('north')
  await expect.poll(() => chosenOption().textContent()).toContain('north-flats')
  await keys.press('Enter')
  await expect.poll(focusedField).toBe('Topic')
  // Tab moves to the next step of writing, not to the buttons beside the field.
  await keys.press('Tab')
  await expect.poll(focusedField).toBe('Message')
  await page.getByRole('combobox', { name: 'Topic' }).focus()
  await keys.type('seals on the spit')
  await page.locator('.chip', { hasText: 'New topic' }).first().waitFor()
  await keys.press('Enter')
  await expect.poll(focusedField).toBe('Message')
  await keys.type('Forty seals this morning.')
  stage.service.child.kill('SIGSTOP')
  try {
    await keys.press('Control+Enter')
    await page.locator('.msg .content', { hasText: 'Forty seals' }).waitFor()
    // The message can be taken back, and the box does not say "Sent" before the server has it.
    await draftState().getByRole('button', { name: 'Undo' }).waitFor()
    expect(await draftState().textContent()).not.toContain('Sent')
  } finally {
    stage.service.child.kill('SIGCONT')
  }
  await draftState().getByText('Sent').waitFor()
  expect(page.url()).toContain('seals%20on%20the%20spit')

  const seals = () =>
    onServer([
      { operator: 'channel', operand: 'north-flats' },
      { operator: 'topic', operand: 'seals on the spit' },
    ])
  await expect.poll(seals).toEqual(['Forty seals this morning.'])
  await draftState().getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => field().inputValue()).toBe('Forty seals this morning.')
  await expect.poll(seals).toEqual([])
})

test('somebody who stays where they are is told that a new message was sent, and can undo it or go there', async () => {
  const goesToSent = (value: boolean) =>
    stage.ask('PATCH', '/settings', { web_navigate_to_sent_message: String(value) })
  const birds = () =>
    onServer([
      { operator: 'channel', operand: 'north-flats' },
      { operator: 'topic', operand: 'birds' },
    ])
  const toast = page.locator('.toast')
  await goesToSent(false)
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  // By Tab from field to field, and Enter on the button.
  await keys.press('c')
  await expect.poll(focusedField).toBe('Channel')
  await keys.type('north')
  await expect.poll(() => chosenOption().textContent()).toContain('north-flats')
  await keys.press('Tab')
  await expect.poll(focusedField).toBe('Topic')
  await keys.type('birds')
  await expect.poll(() => chosenOption().textContent()).toContain('birds')
  await keys.press('Tab')
  await expect.poll(focusedField).toBe('Message')
  await keys.type('Nine eiders.')
  await keys.press('Tab', 'Enter')
  await toast.getByText('Sent', { exact: true }).waitFor()
  expect(page.url()).toContain('inbox')
  await expect.poll(birds).toEqual(['Nine eiders.'])
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => field().inputValue()).toBe('Nine eiders.')
  await expect.poll(birds).toEqual([])
  await field().fill('Ten eiders.')
  await field().press('Control+Enter')
  await toast.getByRole('button', { name: 'Go there' }).click()
  await page.locator('.msg .content', { hasText: 'Ten eiders.' }).waitFor()
  // Whoever is there already goes on in the box of the conversation.
  await page.locator('main').focus()
  await keys.press('c')
  await page.getByRole('combobox', { name: 'Topic' }).fill('birds')
  await field().fill('Eleven eiders.')
  await field().press('Control+Enter')
  await page.locator('.msg .content', { hasText: 'Eleven eiders.' }).waitFor()
  await expect.poll(() => field().evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await page.getByRole('combobox', { name: 'Topic' }).count()).toBe(0)
  await goesToSent(true)
})

test('a direct message is begun with X and goes to the people chosen', async () => {
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await keys.press('x')
  for (const [typed, name] of [
    ['ines', 'Ines Duarte'],
    ['kei', 'Keiko Tamura'],
    ['tom', 'Tomasz Wilk'],
  ] as const) {
    await expect.poll(focusedField).toBe('Add someone')
    await keys.type(typed)
    await expect.poll(() => chosenOption().textContent()).toContain(name)
    await keys.press('Enter')
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
  }
  await keys.press('Backspace')
  await page.getByRole('button', { name: 'Remove Tomasz Wilk' }).waitFor({ state: 'detached' })
  // A person who was typed but not chosen would not get the message, so the box says so and waits.
  await keys.type('tom')
  await expect.poll(() => chosenOption().textContent()).toContain('Tomasz Wilk')
  await field().click()
  await keys.type('Boat at nine?')
  await keys.press('Control+Enter')
  await page.getByText('“tom” isn’t chosen yet.').waitFor()
  await page.getByRole('combobox', { name: 'Add someone' }).fill('')
  await page.getByText('“tom” isn’t chosen yet.').waitFor({ state: 'detached' })
  await field().click()
  await keys.press('Control+Enter')
  await page.locator('.msg .content', { hasText: 'Boat at nine?' }).waitFor()
  const people = stage.service.accounts.filter(({ full_name }) => /^(Ines|Keiko)/.test(full_name))
  const ids = people.map(({ user_id }) => user_id)
  await expect
    .poll(async () => (await onServer([{ operator: 'dm', operand: ids }])).at(-1))
    .toBe('Boat at nine?')
  // The person continues writing there.
  await expect.poll(focusedField).toBe('Message')
})

test('closing a new message keeps it as a draft, also without recipients', async () => {
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  // Ctrl+[ goes back only while nothing is written.
  const closed = async () => {
    await page.getByLabel('New topic', { exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  }
  const begin = async () => {
    await keys.press('c')
    await page.getByRole('combobox', { name: 'Channel' }).waitFor()
    await expect.poll(focusedField).toBe('Channel')
  }
  await begin()
  await keys.press('Control+[')
  await closed()
  await begin()
  await field().click()
  await keys.press('Control+[')
  await closed()
  await begin()
  await field().click()
  await keys.type('for somebody, later')
  await keys.press('Escape')
  await closed()
  await go('drafts')
  // What was begun for another message does not go on in this one.
  await begin()
  await keys.type('nor')
  await page.getByText('for somebody, later').click()
  await expect.poll(() => field().inputValue()).toBe('for somebody, later')
  expect(await page.getByRole('combobox', { name: 'Channel' }).inputValue()).toBe('')
  await page.getByRole('button', { name: 'Close and keep the draft' }).click()
  await page.getByLabel('New topic', { exact: true }).waitFor({ state: 'detached' })
})

test('channel and topic are a button that sends the same words elsewhere', async () => {
  await openTopic('slack water')
  await field().fill('The board is dry.')
  await page.getByRole('button', { name: /^Change recipients: tide-gauges.*slack water/ }).press('Enter')
  const topic = page.locator('.cmp-wrap.new').getByRole('combobox', { name: 'Topic' })
  await expect.poll(() => topic.inputValue()).toBe('slack water')
  // Another window may take the focus while a channel is being looked for.
  await page.getByRole('button', { name: 'Channel: tide-gauges' }).click()
  const channel = page.locator('.cmp-wrap.new').getByRole('combobox', { name: 'Channel' })
  await channel.evaluate((one) => {
    document.hasFocus = () => false
    one.blur()
    Reflect.deleteProperty(document, 'hasFocus')
  })
  expect(await channel.count()).toBe(1)
  await channel.focus()
  await channel.blur()
  await channel.waitFor({ state: 'detached' })
  expect(await field().inputValue()).toBe('The board is dry.')
  await field().fill('')
  await page.getByRole('button', { name: 'Close and keep the draft' }).click()
})

test('a text for a topic is written to people instead, and the other way round', async () => {
  await openTopic('slack water')
  await field().fill('The board is wet.')
  await page.getByRole('button', { name: /^Change recipients: tide-gauges.*slack water/ }).click()
  const inNew = page.locator('.cmp-wrap.new')
  const topic = inNew.getByRole('button', { name: 'Channel: tide-gauges' })
  await topic.click()
  // People are found by their names where a channel is chosen.
  await inNew.getByRole('combobox', { name: 'Channel' }).fill('keiko')
  await inNew.getByRole('option', { name: 'Keiko Tamura' }).click()
  const keiko = inNew.getByRole('button', { name: 'Remove Keiko Tamura' })
  await keiko.waitFor()
  await inNew.getByRole('button', { name: 'Write in a channel instead' }).click()
  await topic.waitFor()
  expect(await keiko.count()).toBe(0)
  await inNew.getByRole('button', { name: 'Write to people instead' }).click()
  await keiko.waitFor()
  expect(await field().inputValue()).toBe('The board is wet.')
  await field().fill('')
  await page.getByRole('button', { name: 'Close and keep the draft' }).click()
})

test('who presses Send before a message is addressed learns what is missing', async () => {
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await keys.press('x')
  await page.getByRole('combobox', { name: 'Add someone' }).waitFor()
  await field().fill('for whom?')
  const send = page.locator('.cmp-wrap.new').getByRole('button', { name: 'Send', exact: true })
  expect(await send.isDisabled()).toBe(true)
  await send.focus()
  await keys.press('Enter')
  await page.getByText('Choose who to send it to.').waitFor()
  expect(await field().inputValue()).toBe('for whom?')
  // The settings have no compose box; to write, the person goes back and continues.
  await go('settings/appearance')
  await page.getByRole('heading', { name: 'Appearance' }).waitFor()
  await page.locator('.cmp-wrap.new').waitFor({ state: 'detached' })
  await keys.press('x')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await expect.poll(() => field().inputValue()).toBe('for whom?')
  // Enter chooses the first suggestion, even if that arrives a moment later.
  await page.getByRole('combobox', { name: 'Add someone' }).fill('Keiko')
  await keys.press('Enter')
  await page.getByRole('button', { name: /^Remove Keiko/ }).waitFor()
  // Opened once more, it still has the same recipients.
  await page.getByRole('heading', { name: 'Inbox' }).click()
  await keys.press('x')
  await page.getByRole('button', { name: /^Remove Keiko/ }).waitFor()
  await field().fill('')
  await keys.press('Escape')
})

test('answers in a topic are written in its own box, and a new message to others gives way', async () => {
  const words = 'Low water is at six.'
  const own = page.getByLabel('Compose to tide-gauges, rope walk')
  const inNew = page.locator('.cmp-wrap.new')
  const write = async () => {
    await keys.press('x')
    await page.getByRole('combobox', { name: 'Add someone' }).fill('Keiko')
    await expect.poll(() => chosenOption().textContent()).toContain('Keiko')
    await keys.press('Enter')
    await page.getByRole('button', { name: /^Remove Keiko/ }).waitFor()
    await field().fill('The rope is wet.')
  }
  const answered = async (text: string) => {
    await inNew.waitFor({ state: 'detached' })
    await own.waitFor()
    await expect.poll(() => field().inputValue()).toContain(text)
    await expect.poll(focusedField).toBe('Message')
    expect(await field().inputValue()).not.toContain('rope is wet')
  }
  const message = page.locator('.msg', { hasText: words })
  await openTopic('rope walk')
  await keys.type(words)
  await keys.press('Control+Enter')
  await message.waitFor()
  // The message has its number, so it is on the server and can be answered.
  await expect.poll(() => message.getAttribute('data-message-id')).toMatch(/^\d+$/)
  await keys.press('Escape')
  for (const [key, text] of [
    ['Enter', ''],
    ['r', ''],
    ['>', words],
    ['@', 'Maren'],
  ] as const) {
    await write()
    await message.focus()
    await keys.press(key)
    await answered(text)
    await field().fill('')
    await keys.press('Escape')
  }
  // The same with a box that was opened elsewhere.
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await write()
  await go(`channel/1/topic/${encodeURIComponent('rope walk')}`)
  await message.focus()
  await keys.press('>')
  await answered(words)
  await field().fill('')
  // What was written to others is a draft.
  await go('drafts')
  await page.getByText('The rope is wet.').first().waitFor()
})

test('wherever the person goes to write, the box of that place is there, and a new message gives way', async () => {
  const message = page.locator('.msg:not(.q)', { hasText: 'Who has the spare anchor?' })
  const card = page.getByRole('dialog', { name: 'Keiko Tamura' })
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  const write = async () => {
    await keys.press('x')
    await page.getByRole('combobox', { name: 'Add someone' }).fill('Ines')
    await expect.poll(() => chosenOption().textContent()).toContain('Ines')
    await keys.press('Enter')
    await page.getByRole('button', { name: /^Remove Ines/ }).waitFor()
    await field().fill('The anchor drags.')
  }
  const writeBeside = async () => {
    await go('combined')
    await page.locator('.msg').first().waitFor()
    // The feed opens at the first unread message.
    await keys.press('End')
    await message.waitFor()
    await write()
    await message.focus()
  }
  const isWritten = async (box: string, text: string) => {
    await page.locator('.cmp-wrap.new').waitFor({ state: 'detached' })
    await page.getByLabel(box, { exact: true }).waitFor()
    await expect.poll(focused).toBe('Message')
    await expect.poll(() => field().inputValue()).toContain(text)
  }
  const words = 'Who has the spare anchor?'
  await stage.ask(
    'POST',
    '/messages',
    { type: 'stream', to: '1', topic: 'anchor', content: words },
    stage.other,
  )
  await writeBeside()
  await keys.press('Shift+R')
  await isWritten('Compose to Keiko Tamura', '')
  await writeBeside()
  await keys.press('u')
  await card.getByRole('button', { name: 'Message' }).click()
  await isWritten('Compose to Keiko Tamura', '')
  // The same where the person is already; a later place does not take the focus for it.
  await page
    .locator('.pp')
    .getByRole('button', { name: /^Keiko/ })
    .click()
  await card.getByRole('button', { name: 'Message' }).click()
  await isWritten('Compose to Keiko Tamura', '')
  await go('channel/1/topic/anchor')
  await page.getByLabel('Compose to tide-gauges, anchor').waitFor()
  await message.waitFor()
  expect(await focused()).not.toBe('Message')
  await writeBeside()
  await keys.press('>')
  await isWritten('Compose to tide-gauges, anchor', words)
  await go('drafts')
  await page.locator('.dr', { hasText: words }).waitFor()
  await write()
  await page.locator('.dr', { hasText: words }).getByRole('button').first().click()
  await isWritten('Compose to tide-gauges, anchor', words)
  await field().fill('')
  // What was written to others are drafts.
  await go('drafts')
  await page.locator('.dr', { hasText: 'The anchor drags.' }).first().waitFor()
})

test('a new message that is put off says when it is sent, and can be taken back', async () => {
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  const inNew = page.locator('.cmp-wrap.new')
  const toast = page.locator('.toast')
  await keys.press('x')
  await expect.poll(focusedField).toBe('Add someone')
  await keys.type('Keiko')
  await expect.poll(() => chosenOption().textContent()).toContain('Keiko')
  await keys.press('Enter', 'Tab')
  await expect.poll(focusedField).toBe('Message')
  // The server stores it without the empty line.
  await keys.type('Happy new year!\n')
  // Behind the button that sends is the one for the other ways.
  await keys.press('Tab', 'Tab', 'Enter')
  await page.getByRole('menuitem', { name: 'Send later' }).waitFor()
  await keys.press('ArrowRight')
  await page.getByRole('menuitem', { name: 'Another time' }).waitFor()
  await keys.press('End', 'Enter')
  const dialog = page.getByRole('dialog', { name: 'Send later' })
  await typeMoment(dialog, 'When', '2099-01-01T10:00')
  await dialog.getByRole('button', { name: 'Send later' }).click()
  await inNew.waitFor({ state: 'detached' })
  await toast.getByText(/^Sends .* 2099, 10:00$/).waitFor()
  // Nothing is to be seen in the conversation yet.
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  const onServerNow = async () =>
    ((await stage.ask('GET', '/scheduled_messages')) as { scheduled_messages: { content: string }[] })
      .scheduled_messages
  const waiting = async () => (await onServerNow()).filter(({ content }) => content === 'Happy new year!')
  await expect.poll(waiting).toHaveLength(1)
  await page.getByRole('link', { name: /^Scheduled/ }).waitFor()
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => field().inputValue()).toBe('Happy new year!\n')
  await page.getByRole('button', { name: /^Remove Keiko/ }).waitFor()
  await expect.poll(waiting).toHaveLength(0)
  await field().fill('')
  await keys.press('Escape')
})
