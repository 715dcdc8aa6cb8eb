import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  closeWriting,
  openWriting,
  stage,
  page,
  field,
  draftState,
  keys,
  go,
  openTopic,
  inTopic,
} from './writing-stage.ts'

// What becomes of words that were not sent.

beforeAll(openWriting)
afterAll(closeWriting)

test('earlier versions of a draft come back', async () => {
  await openTopic('versions')
  await field().fill('the first words')
  await draftState().getByText('Draft saved').or(draftState().getByText('Saved on this device')).waitFor()
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await draftState().getByText('Draft saved').waitFor({ timeout: 20_000 })
  await field().fill('other words instead')
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await draftState().getByRole('button').click()
  const history = page.getByRole('dialog', { name: 'Draft history' })
  await history.locator('li', { hasText: 'the first words' }).getByRole('button', { name: 'Restore' }).click()
  await expect.poll(() => field().inputValue()).toBe('the first words')
})

test('a version from another device leaves the caret where the person writes, and waits for a word being composed', async () => {
  await openTopic('caret')
  await keys.type('The tube is wet.')
  const onServer = async () => {
    // The envelope of the service's own answer.
    const { drafts } = (await stage.ask('GET', '/drafts')) as {
      drafts: { id: number; topic: string; content: string }[]
    }
    return drafts.find(({ topic }) => topic === 'caret')
  }
  const untilOnServer = (words: string) =>
    expect.poll(async () => (await onServer())?.content, { timeout: 30_000 }).toBe(words)
  const changeElsewhere = async (content: string) => {
    const timestamp = Math.floor(Date.now() / 1_000)
    const draft = { type: 'stream', to: [1], topic: 'caret', content, timestamp }
    await stage.ask('PATCH', `/drafts/${(await onServer())?.id}`, { draft: JSON.stringify(draft) })
  }
  await untilOnServer('The tube is wet.')
  await draftState().getByText('Draft saved').waitFor()
  await field().evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(8, 8))
  await changeElsewhere('Note: The tube is wet.')
  await expect.poll(() => field().inputValue()).toBe('Note: The tube is wet.')
  // Said beside the text and to screen readers, with the versions one click away.
  await draftState().getByRole('button', { name: 'Changed on another device' }).waitFor()
  await draftState().getByRole('status').getByText('Changed on another device').waitFor()
  await keys.type(' 4')
  await expect.poll(() => field().inputValue()).toBe('Note: The tube 4 is wet.')

  const devtools = await page.context().newCDPSession(page)
  const compose = (text: string) =>
    devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  await compose('ほ')
  await untilOnServer('Note: The tube 4ほ is wet.')
  await changeElsewhere('Note: The tube 4ほ is wet. Bring oars.')
  // What comes after it in the same queue is here, so the change is here too.
  const message = { type: 'stream', to: '1', topic: 'caret', content: 'Who comes along?' }
  await stage.ask('POST', '/messages', message, stage.other)
  await page.locator('.msg', { hasText: 'Who comes along?' }).waitFor()
  await compose('ほん')
  await devtools.send('Input.insertText', { text: 'ほん' })
  await expect.poll(() => field().inputValue()).toBe('Note: The tube 4ほん is wet. Bring oars.')
  await keys.type('!')
  expect(await field().inputValue()).toBe('Note: The tube 4ほん! is wet. Bring oars.')
  await field().fill('')
})

test('a draft whose field was emptied comes back from the list of deleted ones, with its earlier versions', async () => {
  const save = async (words: string) => {
    await field().fill(words)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await draftState().getByText('Draft saved').waitFor({ timeout: 20_000 })
  }
  await openTopic('emptied')
  await save('Moor at the north pier.')
  await save('Moor at the south pier.')
  await field().fill('')
  await go('drafts')
  const section = page.getByRole('button', { name: /^Recently deleted/ })
  await section.press('Enter')
  const row = page.locator('.dr', { hasText: 'Moor at the south pier.' })
  // The list of drafts and that of deleted ones are not drawn at the same moment.
  await expect.poll(() => row.count()).toBe(1)
  await row.getByText('emptied').waitFor()
  await row.getByRole('button', { name: 'Earlier versions' }).press('Enter')
  const history = page.getByRole('dialog', { name: 'Draft history' })
  await history.locator('li', { hasText: 'Moor at the north pier.' }).waitFor()
  await keys.press('Escape')
  await history.waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'Restore' }).press('Enter')
  await expect.poll(() => field().inputValue()).toBe('Moor at the south pier.')
  await go('drafts')
  await page.getByRole('heading', { name: /^Drafts \d/ }).waitFor()
  await row.getByRole('button', { name: 'Delete draft' }).waitFor()
  expect(await row.count()).toBe(1)
})

test('a conversation has several drafts, each kept', async () => {
  await openTopic('several')
  await keys.type('one draft')
  await draftState()
    .getByText(/Draft saved|Saved on this device/)
    .waitFor()
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Keep as draft and start another' }).click()
  await expect.poll(() => field().inputValue()).toBe('')
  await field().fill('another draft')
  await page.getByRole('button', { name: '1 more draft' }).click()
  await page.getByRole('menuitem', { name: /one draft/ }).click()
  await expect.poll(() => field().inputValue()).toBe('one draft')
  await page.getByRole('button', { name: '1 more draft' }).click()
  await page.getByRole('menuitem', { name: /another draft/ }).click()
  await expect.poll(() => field().inputValue()).toBe('another draft')
  await keys.press('Control+Enter')
  await expect.poll(() => inTopic('several')).toEqual(['another draft'])
  expect(await field().inputValue()).toBe('')
  await go('drafts')
  await page.getByText('one draft').click()
  await expect.poll(() => field().inputValue()).toBe('one draft')
})

test('words typed before the draft is there are another draft, and both are kept', async () => {
  const isSaved = () =>
    draftState()
      .getByText(/Draft saved|Saved on this device/)
      .waitFor()
  /** Types as soon as there is a field, before the window has its draft. */
  const typeAtOnce = (words: string) =>
    page.evaluate((text) => {
      new MutationObserver((_, watching) => {
        const shown = document.querySelector<HTMLTextAreaElement>('.cmp textarea')
        if (shown === null) return
        watching.disconnect()
        shown.focus()
        shown.value = text
        shown.dispatchEvent(new InputEvent('input', { bubbles: true }))
      }).observe(document.body, { childList: true, subtree: true })
    }, words)
  await openTopic('early')
  await keys.type('the first words')
  await isSaved()
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await typeAtOnce('at once')
  await go('channel/1/topic/early')
  await page.getByRole('button', { name: '1 more draft' }).waitFor()
  await isSaved()
  expect(await field().inputValue()).toBe('at once')
  // The same with a draft that was chosen; what was typed is in the field when the person comes back.
  await go('drafts')
  await typeAtOnce('at once again')
  await page.locator('.dr', { hasText: 'the first words' }).getByRole('button').first().click()
  await page.getByRole('button', { name: '2 more drafts' }).waitFor()
  await isSaved()
  expect(await field().inputValue()).toBe('at once again')
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await openTopic('early')
  await expect.poll(() => field().inputValue()).toBe('at once again')
  await page.getByRole('button', { name: '2 more drafts' }).click()
  await page.getByRole('menuitem', { name: /the first words/ }).click()
  await expect.poll(() => field().inputValue()).toBe('the first words')
  // Words from elsewhere go into the draft that was chosen, which is there then.
  const message = { type: 'stream', to: '1', topic: 'early', content: 'Who takes the oars?' }
  await stage.ask('POST', '/messages', message, stage.other)
  await go('combined')
  await page.locator('.msg').first().waitFor()
  // The feed opens at the first unread message.
  await keys.press('End')
  await page.locator('.msg', { hasText: 'Who takes the oars?' }).focus()
  await keys.press('>')
  await expect.poll(() => field().inputValue()).toMatch(/^the first words\s+@[^]*Who takes the oars\?/)
})

test('after sending the newest draft the field stays empty, and the older ones wait beside it', async () => {
  await openTopic('older')
  await keys.type('for later')
  await draftState()
    .getByText(/Draft saved|Saved on this device/)
    .waitFor()
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Keep as draft and start another' }).click()
  await expect.poll(() => field().inputValue()).toBe('')
  await field().fill('for now')
  await page.getByRole('button', { name: '1 more draft' }).waitFor()
  await draftState()
    .getByText(/Draft saved|Saved on this device/)
    .waitFor()
  // A window that opens shows the newest draft, whatever was chosen before.
  await page.reload()
  await expect.poll(() => field().inputValue()).toBe('for now')
  // The field keeps to it, also when another device changes the other draft, and when it is emptied.
  // The envelope of the service's own answer.
  const { drafts } = (await stage.ask('GET', '/drafts')) as { drafts: { id: number; content: string }[] }
  const later = drafts.find(({ content }) => content === 'for later')
  const timestamp = Math.floor(Date.now() / 1_000) + 60
  const draft = { type: 'stream', to: [1], topic: 'older', content: 'for later or never', timestamp }
  await stage.ask('PATCH', `/drafts/${later?.id}`, { draft: JSON.stringify(draft) })
  const others = page.getByRole('button', { name: '1 more draft' })
  await expect
    .poll(async () => {
      await others.click()
      const all = await page.getByRole('menuitem').allInnerTexts()
      await keys.press('Escape')
      return all.join()
    })
    .toContain('for later or never')
  expect(await field().inputValue()).toBe('for now')
  await field().fill('')
  await page.getByRole('button', { name: '1 draft', exact: true }).waitFor()
  expect(await field().inputValue()).toBe('')
  await field().fill('for now')
  await field().press('Control+Enter')
  await page.getByRole('button', { name: '1 draft', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(await field().inputValue()).toBe('')
  await field().press('Control+Enter')
  await expect.poll(() => inTopic('older')).toEqual(['for now'])
  // What is written then is there again after a look elsewhere.
  await field().fill('for the next')
  await draftState()
    .getByText(/Draft saved|Saved on this device/)
    .waitFor()
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await openTopic('older')
  await expect.poll(() => field().inputValue()).toBe('for the next')
  await field().press('Control+Enter')
  await expect.poll(() => inTopic('older')).toEqual(['for now', 'for the next'])
  await page.getByRole('button', { name: '1 draft', exact: true }).click()
  await page.getByRole('menuitem', { name: /for later/ }).click()
  await expect.poll(() => field().inputValue()).toBe('for later or never')
})

test('a draft that the server refuses stays, and says why and what to do', async () => {
  // No server accepts such a topic.
  await go(`channel/1/topic/${encodeURIComponent('ebb\0flow')}`)
  await field().click()
  await keys.type('Six boats by Friday.')
  await draftState().getByText('Refused, kept here').click()
  await page.getByText('The server refused this draft: “Topic must not contain null bytes”').waitFor()
  await keys.press('Escape')
  await go('drafts')
  // Nothing is sent until the person changes it.
  const needsYou = page.locator('.cards', { has: page.locator('.failr') })
  const draft = needsYou.locator('.dr', { hasText: 'Six boats by Friday.' })
  await draft.getByText('It’s safe on this device.').waitFor()
  await draft.getByText('Refused by the server').waitFor()
  await page.getByRole('heading', { name: /^Needs you \d/ }).waitFor()
  await page.getByRole('link', { name: /^Drafts and outbox.* needs? you/ }).waitFor()
  await draft.getByRole('button', { name: 'Edit' }).press('Enter')
  await expect.poll(() => field().inputValue()).toBe('Six boats by Friday.')
})

test('a draft that the server refuses can be thrown away, and comes back if that was a mistake', async () => {
  await go('drafts')
  const draft = page.locator('.failr', { hasText: 'Six boats by Friday.' })
  const bin = draft.getByRole('button', { name: 'Delete draft' })
  await bin.click()
  await draft.waitFor({ state: 'detached' })
  await page.getByText('Draft deleted.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  // The server refuses it again, and nobody has lost a word.
  await draft.getByText('Refused by the server').waitFor()
  await bin.press('Enter')
  await draft.waitFor({ state: 'detached' })
})
