import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { typeMoment } from './browser.ts'
import { fileOnDisk } from './file-on-disk.ts'
import {
  closeWriting,
  openWriting,
  stage,
  page,
  field,
  draftState,
  options,
  chosenOption,
  keys,
  go,
  openTopic,
  inTopic,
  paste,
} from './writing-stage.ts'

// Everything else about writing a message, by keyboard where a key exists.

beforeAll(openWriting)
afterAll(closeWriting)

test('what is too long for a message can go along as a file, and the box can fill the sheet', async () => {
  await openTopic('long')
  const long = 'a line of the log\n'.repeat(600)
  await paste('', 'Look: ')
  await field().evaluate((element: HTMLTextAreaElement, words) => {
    element.focus()
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', words)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    // A synthetic event has no effect of its own, so this inserts the words as the browser would.
    if (element.dispatchEvent(event)) document.execCommand('insertText', false, words)
  }, long)
  await draftState()
    .getByText(/[\d,]+ characters too long/)
    .first()
    .waitFor()
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Attach as a file' }).click()
  await expect.poll(() => field().inputValue()).toMatch(/^\[pasted-text\.txt\]\(\/user_uploads\/[^)]+\) $/)
  await page.getByText('too long for a message').waitFor({ state: 'detached' })
  await draftState().getByText('too long').waitFor({ state: 'detached' })

  const height = () => field().evaluate((element) => element.clientHeight)
  const before = await height()
  await page.getByRole('button', { name: 'Expand' }).click()
  await expect.poll(height).toBeGreaterThan(before + 200)
  await page.getByRole('button', { name: 'Make smaller' }).click()
  await expect.poll(height).toBe(before)
  await field().fill('')
})

test('commands are done at once and not sent, by the list or by sending', async () => {
  await openTopic('commands')
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
  await keys.type('/da')
  await expect.poll(() => chosenOption().textContent()).toContain('/dark')
  await keys.press('Enter')
  await expect.poll(theme).toBe('dark')
  expect(await field().inputValue()).toBe('')
  await keys.type('/light')
  await keys.press('Escape', 'Control+Enter')
  await expect.poll(theme).toBe('light')
  await expect.poll(() => field().inputValue()).toBe('')
  await keys.type('/ping')
  await keys.press('Enter')
  await page.getByText(/The server answered in [\d,]+ ms\./).waitFor()
  expect(await inTopic('commands')).toEqual([])
})

test('everyone in a channel is not notified without a word', async () => {
  await openTopic('warnings')
  await keys.type('@all')
  await options().first().waitFor()
  await keys.press('Enter')
  await page.getByText(/Only some people can notify all \d+ people in #tide-gauges/).waitFor()
  await field().fill('quiet')
  await page.getByText(/notifies all|notify all/).waitFor({ state: 'detached' })
  expect(await inTopic('warnings')).toEqual([])
  // The reason for a warning can be removed beside it.
  await field().fill('hello @**all**')
  await page.getByRole('button', { name: 'Mention silently' }).click()
  expect(await field().inputValue()).toBe('hello @_**all**')
  // The button has gone, and the person goes on writing.
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Message')
  await page.getByText(/notifies all|notify all/).waitFor({ state: 'detached' })
  await stage.ask('POST', '/user_topics', { stream_id: '1', topic: 'warnings', visibility_policy: '1' })
  await page.getByText(/You muted this/).waitFor()
  await page.locator('.cmp-note').getByRole('button', { name: 'Unmute' }).click()
  await page.getByText(/You muted this/).waitFor({ state: 'detached' })
  await field().fill('')
  const done = { type: 'stream', to: '1', topic: '✔ calibrated', content: 'It is done.' }
  await stage.ask('POST', '/messages', done, stage.other)
  await openTopic('✔ calibrated')
  await field().fill('not quite')
  await page.locator('.cmp-note').getByRole('button', { name: 'Mark as unresolved' }).click()
  await page.waitForURL(/topic\/calibrated/)
  await expect.poll(() => field().inputValue()).toBe('not quite')
  await field().fill('')
  await stage.ask('DELETE', '/users/me/subscriptions', { subscriptions: JSON.stringify(['tide-gauges']) })
  await field().fill('hello again')
  await page.locator('.cmp-note').getByRole('button', { name: 'Join' }).click()
  await page.getByText(/You haven’t joined/).waitFor({ state: 'detached' })
  await field().fill('')
})

test('a snippet is kept and inserted; a time is written for every zone', async () => {
  await openTopic('snippets')
  await keys.type('Tide tables are in the hut.')
  await keys.press("Control+'")
  const dialog = page.getByRole('dialog', { name: 'Snippets' })
  await dialog.getByRole('button', { name: 'Save this text as a snippet' }).click()
  await dialog.getByLabel('Title').fill('Tables')
  await keys.press('Enter')
  await dialog.getByRole('button', { name: /^Tables/ }).waitFor()
  await keys.press('Escape')
  await field().fill('')
  await field().click()
  await keys.press("Control+'")
  await dialog.getByLabel('Find a snippet').fill('tide')
  await dialog.getByRole('button', { name: /^Tables/ }).waitFor()
  await keys.press('Enter')
  await expect.poll(() => field().inputValue()).toBe('Tide tables are in the hut.')
  await field().fill('yes')
  await keys.press('End', 'Shift+Enter')
  // At the beginning of a line, snippets are suggested by title.
  await keys.type('/tab')
  await expect.poll(() => chosenOption().textContent()).toContain('Tables')
  await keys.press('Enter')
  expect(await field().inputValue()).toBe('yes\nTide tables are in the hut. ')

  // Snippets can be changed and deleted in the list; another one is kept through the menu beside the button.
  await keys.press("Control+'")
  await dialog.getByRole('button', { name: 'Change Tables' }).click()
  await dialog.getByLabel('Content').fill('Tide tables are in the shed.')
  // Words that were not saved are still there when the list opens again.
  await keys.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await keys.press("Control+'")
  await dialog.getByRole('button', { name: 'Change Tables' }).click()
  expect(await dialog.getByLabel('Content').inputValue()).toBe('Tide tables are in the shed.')
  // Another device changes only the title.
  await dialog.getByLabel('Title').fill('Our tables')
  await keys.press('Escape')
  const titles = async () => {
    // The envelope of the service's own answer.
    const answer = (await stage.ask('GET', '/saved_snippets')) as {
      saved_snippets: { id: number; title: string }[]
    }
    return new Map(answer.saved_snippets.map(({ id, title }) => [title, id]))
  }
  await stage.ask('PATCH', `/saved_snippets/${(await titles()).get('Tables')}`, { title: 'Tide tables' })
  await keys.press("Control+'")
  await dialog.getByRole('button', { name: 'Change Tide tables' }).click()
  expect(await dialog.getByRole('status').locator('q').textContent()).toBe('Tide tables')
  await dialog.getByRole('button', { name: 'Use that text' }).click()
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Tide tables')
  expect(await dialog.getByLabel('Content').inputValue()).toBe('Tide tables are in the shed.')
  await dialog.getByLabel('Title').fill('Tables')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: /^Tables.*shed/ }).waitFor()
  await keys.press('Escape')
  await field().fill('Bring oars.')
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Save as snippet' }).click()
  await expect
    .poll(() => dialog.getByLabel('Title').evaluate((one) => one === document.activeElement))
    .toBe(true)
  await keys.type('Oars')
  await keys.press('Enter')
  await dialog.getByRole('button', { name: /^Oars/ }).waitFor()
  await dialog.getByRole('button', { name: 'Delete Tables' }).click()
  await dialog.getByRole('button', { name: /^Tables/ }).waitFor({ state: 'detached' })
  await expect
    .poll(async () => [...(await titles()).keys()].filter((title) => /^(Oars|Tables)$/.test(title)))
    .toEqual(['Oars'])

  // The unsaved edit of a snippet that another device deletes becomes a draft.
  await dialog.getByRole('button', { name: 'Change Oars' }).click()
  await dialog.getByLabel('Content').fill('Bring two oars.')
  await keys.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await stage.ask('DELETE', `/saved_snippets/${(await titles()).get('Oars')}`)
  await field().click()
  await keys.press("Control+'")
  await dialog.getByRole('button', { name: 'Change Oars' }).waitFor({ state: 'detached' })
  await keys.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await keys.press("Control+'")
  await page.getByText('The unsaved edit of a snippet is now a draft').waitFor()

  // Without the server the snippet is there as well, and can be discarded or changed before it is sent.
  await stage.stopService()
  const offline = () =>
    page
      .getByTestId('sync-pill')
      .getByText(/Offline|Not reachable/)
      .waitFor()
  await offline()
  await dialog.getByRole('button', { name: 'Save this text as a snippet' }).click()
  await dialog.getByLabel('Title').fill('Ropes')
  await keys.press('Enter')
  const ropes = dialog.getByRole('button', { name: /^Ropes/ })
  await ropes.getByRole('img', { name: /waiting|Queued/i }).waitFor()
  await dialog.getByRole('button', { name: 'Change Ropes' }).click()
  await dialog.getByLabel('Content').fill('Bring ropes.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: /^Ropes.*Bring ropes/ }).waitFor()
  await stage.startService()
  await ropes.getByRole('img').waitFor({ state: 'detached', timeout: 60_000 })
  await dialog.getByRole('button', { name: 'Delete Ropes' }).click()
  await ropes.waitFor({ state: 'detached' })
  await keys.press('Escape')

  // A time is chosen as well.
  await field().fill('')
  await page.getByRole('button', { name: 'Time for everyone' }).click()
  const time = page.getByRole('dialog', { name: 'Time for everyone' })
  await typeMoment(time, 'Your time', '2027-05-12T15:30')
  await time.getByRole('button', { name: 'Insert' }).click()
  await expect.poll(() => field().inputValue()).toMatch(/^<time:2027-05-12T15:30:00[^>]+>$/)
  await field().fill('')
  await field().click()
  await keys.type(' Back <time')
  await options().first().waitFor()
  await keys.type(':2027-05-12 15:30')
  await expect.poll(() => chosenOption().textContent()).toMatch(/12 May.*15:30/)
  await keys.press('Enter')
  expect(await field().inputValue()).toMatch(/Back <time:2027-05-12T15:30:00[^>]+> $/)
  await field().fill('')
})

test('Enter sends once that is chosen, and Shift Enter still begins a line', async () => {
  await openTopic('enter')
  await keys.press('Enter')
  expect(await field().inputValue()).toBe('\n')
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Enter sends' }).click()
  await keys.press('Escape')
  await field().fill('first line')
  await field().click()
  await keys.press('End', 'Shift+Enter')
  await keys.type('second line')
  await keys.press('Enter')
  await expect.poll(() => inTopic('enter')).toEqual(['first line\nsecond line'])
})

test('a message is put off', async () => {
  await openTopic('later')
  await field().fill('see you tomorrow')
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Send later' }).hover()
  await page.getByRole('menuitem', { name: 'Another time' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send later' })
  // The field starts at the next full hour.
  const clock = dialog.getByRole('textbox', { name: 'When, time' })
  await expect.poll(() => clock.inputValue()).toMatch(/^\d\d:00$/)
  expect(await dialog.getByRole('button', { name: 'Send later' }).isEnabled()).toBe(true)
  await typeMoment(dialog, 'When', '2020-01-01T10:00')
  await dialog.getByText('This time has passed. Choose a later one.').waitFor()
  expect(await dialog.getByRole('spinbutton', { name: 'When, year' }).getAttribute('aria-invalid')).toBe(
    'true',
  )
  expect(await dialog.getByRole('button', { name: 'Send later' }).isEnabled()).toBe(false)
  // The calendar offers no day before today, and handles arrow keys.
  await dialog.getByRole('button', { name: 'Choose from a calendar' }).press('Enter')
  const calendar = page.getByRole('application')
  await calendar.getByRole('button', { name: 'Next month' }).waitFor()
  await keys.press('Escape')
  await calendar.waitFor({ state: 'detached' })
  // The field understands a time as people type it, and shows it on the clock that the person chose.
  await clock.fill('3:30 pm')
  await clock.press('Tab')
  expect(await clock.inputValue()).toBe('15:30')
  await clock.fill('noon')
  await dialog.getByText(/^This isn’t a time/).waitFor()
  await typeMoment(dialog, 'When', '2099-01-01T10:00')
  await dialog.getByRole('button', { name: 'Send later' }).click()
  const toast = page.locator('.toast')
  await toast.getByText(/^Sends .* 2099, 10:00$/).waitFor()
  // The person continues writing.
  const hasFocus = () => field().evaluate((element) => element === document.activeElement)
  await expect.poll(hasFocus).toBe(true)
  expect(await field().inputValue()).toBe('')
  // Undo brings it back into the same box.
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => field().inputValue()).toBe('see you tomorrow')
  await page.getByRole('button', { name: /^Change recipients: .*later/ }).waitFor()
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Send later' }).hover()
  await page.getByRole('menuitem', { name: 'Another time' }).click()
  await typeMoment(dialog, 'When', '2099-01-01T10:00')
  await dialog.getByRole('button', { name: 'Send later' }).click()
  await toast.getByText(/^Sends .* 2099, 10:00$/).waitFor()
  await go('drafts')
  await page.getByText('1 scheduled message is on the server').waitFor()
  await page.getByRole('link', { name: 'View scheduled' }).click()
  await page.locator('.later-row', { hasText: 'see you tomorrow' }).getByText('10:00').waitFor()
})

test('files are attached by choosing and pasting, and taken out again', async () => {
  const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
  await openTopic('files below')
  await keys.type('Two of them.')
  await page.setInputFiles('.cmp input[type="file"]', [text('a.txt'), text('b.txt')])
  // The link goes below the text, or on the empty line at the caret if there is one.
  await expect
    .poll(() => field().inputValue())
    .toMatch(/^Two of them\.\n\[a\.txt\]\(\/user_uploads\/.*\) \[b\.txt\]\(\/user_uploads\/.*\) $/)
  // A file that comes while the person is at something else leaves them there.
  await openTopic('files later')
  await page.setInputFiles('.cmp input[type="file"]', [
    fileOnDisk('large.txt', Buffer.alloc(20 * 2 ** 20)),
    fileOnDisk('small.txt', 'small'),
  ])
  await expect.poll(() => field().inputValue()).toContain('large.txt')
  await page.locator('.cmp').getByRole('button', { name: 'Emoji' }).click()
  const search = page.getByRole('combobox', { name: 'Search emoji' })
  await expect.poll(() => search.evaluate((node) => node === document.activeElement)).toBe(true)
  await expect.poll(() => field().inputValue()).toContain('small.txt')
  expect(await search.inputValue()).toBe('')
  expect(await search.evaluate((node) => node === document.activeElement)).toBe(true)
  await keys.press('Escape')
  await search.waitFor({ state: 'detached' })
  await field().fill('')
  await openTopic('files')
  await keys.type('The log: ')
  await page.setInputFiles('.cmp input[type="file"]', {
    name: 'log.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('at,level\n1,2\n'),
  })
  await expect.poll(() => field().inputValue()).toMatch(/^The log: \[log\.csv\]\(\/user_uploads\/.*\) $/)
  await stage.stopService()
  await page
    .getByTestId('sync-pill')
    .getByText(/Offline|Not reachable/)
    .waitFor()
  await field().evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['two'], 'second.txt', { type: 'text/plain' }))
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  const tray = page.getByRole('list', { name: 'Files' })
  await tray.getByText('Kept here, uploads when you’re back online').waitFor()
  expect(await field().inputValue()).toMatch(/\[second\.txt\]\(dunlin-file:/)
  await tray.getByRole('button', { name: 'Remove second.txt' }).click()
  await expect.poll(() => field().inputValue()).not.toContain('second')
  // A file manager puts the file's name beside it, a spreadsheet a picture beside its words.
  const pasteWithFile = (file: string, words: Record<string, string>) =>
    field().evaluate(
      (element, [file, words]) => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add(new File(['one'], file))
        for (const [type, text] of Object.entries(words)) clipboardData.setData(type, text)
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      },
      [file, words] as const,
    )
  await pasteWithFile('managed.txt', { 'text/plain': '/home/maren/managed.txt' })
  await tray.getByText('managed.txt').waitFor()
  expect(await field().inputValue()).not.toContain('/home/maren')
  await tray.getByRole('button', { name: 'Remove managed.txt' }).click()
  await expect.poll(() => field().inputValue()).not.toContain('managed')
  const cells = '<table><tr><td>at</td><td>level</td></tr></table>'
  await pasteWithFile('table.png', { 'text/plain': 'at\tlevel', 'text/html': cells })
  await expect.poll(() => field().inputValue()).toContain('| at | level |')
  expect(await field().inputValue()).not.toContain('table.png')
  await keys.press('Control+z', 'Control+z')
  await expect.poll(() => field().inputValue()).not.toContain('level')
  // A file dropped anywhere goes to the message; the browser would open it in place of the app.
  const drop = (files: [name: string, size: number][], place: string) =>
    page.locator(place).evaluate((element, dropped) => {
      const dataTransfer = new DataTransfer()
      for (const [name, size] of dropped)
        dataTransfer.items.add(new File([new Uint8Array(size)], name, { type: 'text/plain' }))
      const send = (type: string) =>
        element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      return ['dragover', 'drop'].map(send)
    }, files)
  const both: [string, number][] = [
    ['large.bin', 26 * 2 ** 20],
    ['third.txt', 5],
  ]
  expect(await drop(both, 'main h1')).toEqual([false, false])
  // The note about one file stays while the other is attached, until the message is sent.
  await expect.poll(() => field().inputValue()).toContain('third.txt')
  const refused = page.getByText('large.bin wasn’t attached. It’s larger than this server accepts')
  await tray.getByText('third.txt').waitFor()
  await tray.getByText('Kept here, uploads when you’re back online').waitFor()
  await refused.waitFor()
  await keys.press('Control+Enter')
  await refused.waitFor({ state: 'detached' })
  await stage.startService()
  await expect
    .poll(() => inTopic('files'), { timeout: 60_000 })
    .toEqual([
      expect.stringMatching(/^The log: \[log\.csv\]\(\/user_uploads.*\) ?\[third\.txt\]\(\/user_uploads/),
    ])
  await go('drafts')
  await page.getByRole('heading', { name: 'Drafts and outbox' }).waitFor()
  expect(await drop([['nowhere.txt', 5]], 'main h1')).toEqual([false, false])
})

test('a message is changed with all that one is written with, offline too', async () => {
  await openTopic('changing')
  await keys.type('Who comes?')
  await keys.press('Control+Enter')
  const message = page.locator('.msg:not(.q)', { hasText: 'Who comes?' })
  await message.waitFor()
  const edited = page.getByLabel('Edit message')
  // Only the server knows how these were typed elsewhere, and it takes its time to say so.
  const sent = async (content: string) => {
    const fields = { type: 'stream', to: '1', topic: 'changing', content }
    // The envelope of the service's own answer.
    const { id } = (await stage.ask('POST', '/messages', fields)) as { id: number }
    const row = page.locator(`.msg[data-message-id="${id}"]`)
    await row.waitFor()
    return row
  }
  const plain = await sent('The *tide* does.')
  const deep = await sent('1. Who\n2. waits?\n\n   ```quote\n   Somebody.\n   ```')
  stage.service.child.kill('SIGSTOP')
  try {
    await plain.focus()
    await keys.press('e')
    await expect.poll(() => edited.inputValue()).toBe('The *tide* does.')
    await keys.press('Escape')
    await edited.waitFor({ state: 'detached' })
    // What cannot be derived from the message waits; the message stays, and so does the focus of whoever types on.
    await deep.focus()
    await keys.press('e')
    await deep.getByText('is being fetched').waitFor()
    await deep.getByText('Somebody.').waitFor()
    await field().focus()
    await keys.type('on and')
  } finally {
    stage.service.child.kill('SIGCONT')
  }
  await expect.poll(() => edited.inputValue()).toMatch(/^1\. Who\n2\. waits/)
  await keys.type(' on')
  expect(await field().inputValue()).toBe('on and on')
  await field().fill('')
  await deep.getByRole('button', { name: 'Cancel' }).click()
  await stage.stopService()
  await page
    .getByTestId('sync-pill')
    .getByText(/Offline|Not reachable/)
    .waitFor()
  await message.focus()
  await keys.press('e')
  await expect.poll(() => edited.inputValue()).toBe('Who comes?')
  await keys.type(' @kei')
  await expect.poll(() => chosenOption().textContent()).toContain('Keiko Tamura')
  await keys.press('Enter')
  await keys.type('in #tide')
  await expect.poll(() => chosenOption().textContent()).toContain('tide-gauges')
  await keys.press('>')
  await keys.type('changing')
  await expect.poll(() => chosenOption().textContent()).toContain('changing')
  await keys.press('Enter')
  await keys.type(' :tada')
  await expect.poll(() => chosenOption().textContent()).toContain('tada')
  await keys.press('Enter')
  // Formatting by key and by button, as in a new message; but it does not become a poll.
  const box = page.getByRole('region', { name: 'Message being edited' })
  await edited.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(0, 3))
  await keys.press('Control+b')
  await box.getByRole('button', { name: 'Italic' }).click()
  expect(await edited.inputValue()).toMatch(
    /^\*\*\*Who\*\*\* comes\? @\*\*Keiko Tamura\*\* in #\*\*tide-gauges>/,
  )
  expect(await box.getByRole('button', { name: /Poll/ }).count()).toBe(0)
  await edited.evaluate((element: HTMLTextAreaElement) =>
    element.setSelectionRange(element.value.length, element.value.length),
  )
  const opener = box.getByRole('button', { name: 'Emoji' })
  await opener.click()
  const picker = page.getByRole('dialog', { name: 'Choose an emoji' })
  await picker.getByRole('combobox').fill('wave')
  await picker.getByRole('gridcell').first().waitFor()
  await opener.evaluate((button) => button.addEventListener('focus', () => (button.dataset['had'] = 'focus')))
  await keys.press('Enter')
  await expect.poll(() => edited.inputValue()).toMatch(/🎉 👋/u)
  // The person continues writing: the button does not take back the focus.
  await picker.waitFor({ state: 'detached' })
  await keys.type(' there')
  await expect.poll(() => edited.inputValue()).toMatch(/🎉 👋\S* there$/u)
  await keys.press('Alt+p')
  await box.getByRole('region', { name: 'Preview' }).locator('.user-mention').waitFor()
  expect(await opener.getAttribute('data-had')).toBeNull()
  await keys.press('Escape')
  // Tab leads to the button that saves the edit, and Enter presses it.
  await edited.focus()
  await keys.press('Tab', 'Enter')
  await message
    .or(page.locator('.msg', { hasText: 'Who comes?' }))
    .locator('.user-mention')
    .waitFor()
  await stage.startService()
  await expect
    .poll(() => inTopic('changing'), { timeout: 60_000 })
    .toEqual([
      expect.stringMatching(
        /^\*\*\*Who\*\*\* comes\? @\*\*Keiko Tamura\*\* in #\*\*tide-gauges>changing\*\* 🎉 👋/u,
      ),
      expect.anything(),
      expect.anything(),
    ])
})

test('files are attached to a message that is being edited, and none of them goes into the new one', async () => {
  await openTopic('changing files')
  await keys.type('Which board?')
  await keys.press('Control+Enter')
  await expect.poll(() => inTopic('changing files')).toEqual(['Which board?'])
  const message = page.locator('.msg:not(.q)', { hasText: 'Which board?' })
  await message.focus()
  await keys.press('e')
  const edited = page.getByLabel('Edit message')
  await expect.poll(() => edited.inputValue()).toBe('Which board?')
  await stage.stopService()
  await page
    .getByTestId('sync-pill')
    .getByText(/Offline|Not reachable/)
    .waitFor()
  const box = page.getByRole('region', { name: 'Message being edited' })
  const drop = (name: string, place: Locator) =>
    place.evaluate((element, name) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['one'], name, { type: 'text/plain' }))
      for (const type of ['dragover', 'drop'])
        element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    }, name)
  await drop('dropped.txt', edited)
  await expect.poll(() => edited.inputValue()).toMatch(/^Which board\?\n\[dropped\.txt\]\(dunlin-file:/)
  await box.getByRole('list', { name: 'Files' }).getByText('dropped.txt').waitFor()
  await edited.evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['two'], 'pasted.txt', { type: 'text/plain' }))
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect.poll(() => edited.inputValue()).toContain('[pasted.txt](dunlin-file:')
  await box.locator('input[type="file"]').setInputFiles({
    name: 'chosen.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('three'),
  })
  await expect.poll(() => edited.inputValue()).toContain('[chosen.txt](dunlin-file:')
  expect(await field().inputValue()).toBe('')
  // Beside the message, the file goes into the new one.
  await drop('elsewhere.txt', page.locator('main h1'))
  await expect.poll(() => field().inputValue()).toContain('elsewhere.txt')
  expect(await edited.inputValue()).not.toContain('elsewhere')
  await field().fill('')
  await box.getByRole('button', { name: 'Save' }).click()
  await edited.waitFor({ state: 'detached' })
  await stage.startService()
  await expect
    .poll(() => inTopic('changing files'), { timeout: 60_000 })
    .toEqual([
      expect.stringMatching(
        /^Which board\?\n(\[(dropped|pasted|chosen)\.txt\]\(\/user_uploads\/\S*\) ?){3}$/,
      ),
    ])
})
