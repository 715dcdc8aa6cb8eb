import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo, typeMoment } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// Everything about writing a message, by keyboard where a key exists.

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage({ window: { permissions: ['clipboard-read', 'clipboard-write'] } })
  page = stage.page
  await stage.signIn()
})

afterAll(() => stage?.close())

const field = () => page.getByLabel('Message', { exact: true })
const draftState = () => page.getByTestId('draft-state')
const suggestions = () => page.getByRole('listbox', { name: 'Suggestions' })
const options = () => suggestions().getByRole('option')
const chosenOption = () => suggestions().locator('[aria-selected="true"]')

const keys = {
  type: (text: string) => page.keyboard.type(text),
  press: async (...all: string[]) => {
    for (const key of all) await page.keyboard.press(key)
  },
}
const go = (place: string) => goTo(page, place)
const openTopic = async (topic: string) => {
  await go(`channel/1/topic/${encodeURIComponent(topic)}`)
  await page.getByLabel(`Compose to tide-gauges, ${topic}`).waitFor()
  await field().click()
}
const onServer = async (narrow: unknown) => {
  // The envelope of the service's own answer.
  const answer = (await stage.ask('GET', '/messages', {
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    apply_markdown: 'false',
    narrow: JSON.stringify(narrow),
  })) as { messages: { content: string }[] }
  return answer.messages.map(({ content }) => content)
}
const inTopic = (topic: string) =>
  onServer([
    { operator: 'channel', operand: 1 },
    { operator: 'topic', operand: topic },
  ])
/** Pastes formatted text at the caret, as a browser does. */
const paste = (html: string, plain: string) =>
  field().evaluate(
    (element, { html, plain }) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', html)
      clipboardData.setData('text/plain', plain)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    { html, plain },
  )

test('people, channels with their topics, emoji and languages are completed by keyboard', async () => {
  await openTopic('completions')
  await keys.type('Ask @kei')
  await expect.poll(() => chosenOption().textContent()).toContain('Keiko Tamura')
  await keys.press('Enter')
  expect(await field().inputValue()).toBe('Ask @**Keiko Tamura** ')

  await keys.type('or @_o')
  await options().first().waitFor()
  await keys.press('Tab')
  expect(await field().inputValue()).toMatch(/or @_\*\*Odhran Keane\*\* $/)

  await keys.type('in #tide')
  await expect.poll(() => chosenOption().textContent()).toContain('tide-gauges')
  await keys.press('>')
  await keys.type('batt')
  await expect.poll(() => chosenOption().textContent()).toContain('battery swap rota')
  await keys.press('Enter')
  expect(await field().inputValue()).toMatch(/in #\*\*tide-gauges>battery swap rota\*\* $/)

  await keys.type(':tada')
  await options().first().waitFor()
  await keys.press('Enter')
  expect(await field().inputValue()).toMatch(/🎉 $/)

  await keys.press('Shift+Enter')
  await keys.type('```py')
  await expect.poll(() => chosenOption().textContent()).toContain('python')
  await keys.press('Enter')
  await keys.type('x = 1')
  expect(await field().inputValue()).toMatch(/```python\nx = 1\n```$/)
})

test('what is typed after a completion finds its space there', async () => {
  await field().fill('')
  const choose = async (begun: string, name: string) => {
    await keys.type(begun)
    await expect.poll(() => chosenOption().textContent()).toContain(name)
    await keys.press('Enter')
  }
  await choose('@kei', 'Keiko Tamura')
  await keys.type(' and ')
  await choose('@odh', 'Odhran Keane')
  await keys.type(', go')
  expect(await field().inputValue()).toBe('@**Keiko Tamura** and @**Odhran Keane**, go')
  await choose(' :tada', 'tada')
  await keys.type('!  Two spaces.')
  expect(await field().inputValue()).toMatch(/🎉!  Two spaces\.$/)
  await field().fill('')
})

test('an emoji of several signs is one picture, of the chosen set, and no other set is loaded', async () => {
  /** The widths of some emoji, and the emoji fonts that are loaded once they are drawn. */
  const draw = () =>
    page.evaluate(async () => {
      const rows = [
        '🌊',
        '🤷\u200d♂\ufe0f',
        '👮🏽\u200d♀\ufe0f',
        '🏳\ufe0f\u200d🌈',
        '❤\ufe0f\u200d🔥',
        '👨\u200d👩\u200d👧',
        '🇩🇪',
      ].map((text) => {
        const one = document.body.appendChild(document.createElement('span'))
        one.style.fontSize = '20px'
        one.textContent = text
        return one
      })
      // Drawing them makes the browser load the font.
      document.body.getBoundingClientRect()
      await document.fonts.ready
      const widths = rows.map((one) => Math.round(one.getBoundingClientRect().width))
      for (const one of rows) one.remove()
      const loaded = [...document.fonts].filter(
        ({ family, status }) => /emoji/i.test(family) && status === 'loaded',
      )
      return {
        widths: [...new Set(widths)],
        loaded: loaded.map(({ family }) => family.replaceAll('"', '')),
      }
    })
  expect(await draw()).toEqual({ widths: [20], loaded: ['Noto Color Emoji'] })
  // Text without emoji loads neither font: a wide space, a key symbol, a letter.
  const asked = await page.evaluate(async () => {
    const facesFor = async (text: string) => [
      ...(await document.fonts.load('16px "Noto Color Emoji"', text)),
      ...(await document.fonts.load('16px Twemoji', text)),
    ]
    return { others: (await facesFor('\u2002⌘日')).length, emoji: (await facesFor('🌊')).length }
  })
  expect(asked).toEqual({ others: 0, emoji: 2 })
  await stage.ask('PATCH', '/settings', { emojiset: 'twitter' })
  const set = () => page.evaluate(() => document.documentElement.dataset['emoji'])
  await expect.poll(set).toBe('twitter')
  await page.reload()
  await expect.poll(set).toBe('twitter')
  expect(await draw()).toEqual({ widths: [20], loaded: ['Twemoji'] })
  await field().waitFor()
})

test('arrows choose another row, Esc leaves what is typed, and Enter then writes on', async () => {
  await field().fill('')
  await field().click()
  await keys.type('@')
  await expect.poll(() => options().count()).toBeGreaterThan(3)
  const second = await options().nth(1).textContent()
  await keys.press('ArrowDown')
  expect(await chosenOption().textContent()).toBe(second)
  await keys.press('ArrowUp', 'ArrowUp')
  expect(await options().last().getAttribute('aria-selected')).toBe('true')
  await keys.press('Escape')
  await suggestions().waitFor({ state: 'detached' })
  await keys.type('kei')
  expect(await suggestions().count()).toBe(0)
  expect(await field().inputValue()).toBe('@kei')
  // In code, the characters stand for themselves.
  await field().fill('')
  await keys.type('`@kei')
  expect(await suggestions().count()).toBe(0)
  await field().fill('')
})

test('a new topic is begun with C, addressed by keyboard and can be undone', async () => {
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await keys.press('c')
  await page.getByRole('combobox', { name: 'Channel' }).waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Channel')
  await keys.type('north')
  await expect.poll(() => chosenOption().textContent()).toContain('north-flats')
  await keys.press('Enter')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Topic')
  // Tab moves to the next step of writing, not to the buttons beside the field.
  await keys.press('Tab')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Message')
  await page.getByRole('combobox', { name: 'Topic' }).focus()
  await keys.type('seals on the spit')
  await page.locator('.chip', { hasText: 'New topic' }).first().waitFor()
  await keys.press('Enter')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Message')
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

test('a direct message is begun with X and goes to the people chosen', async () => {
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await keys.press('x')
  for (const [typed, name] of [
    ['ines', 'Ines Duarte'],
    ['kei', 'Keiko Tamura'],
    ['tom', 'Tomasz Wilk'],
  ] as const) {
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Add someone')
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
  await page.getByText('“tom” is not chosen yet.').waitFor()
  await page.getByRole('combobox', { name: 'Add someone' }).fill('')
  await page.getByText('“tom” is not chosen yet.').waitFor({ state: 'detached' })
  await field().click()
  await keys.press('Control+Enter')
  await page.locator('.msg .content', { hasText: 'Boat at nine?' }).waitFor()
  const people = stage.service.accounts.filter(({ full_name }) => /^(Ines|Keiko)/.test(full_name))
  const ids = people.map(({ user_id }) => user_id)
  await expect
    .poll(async () => (await onServer([{ operator: 'dm', operand: ids }])).at(-1))
    .toBe('Boat at nine?')
  // The person continues writing there.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Message')
})

test('closing a new message keeps it as a draft, also without recipients', async () => {
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await keys.press('c')
  await field().click()
  await keys.type('for somebody, later')
  await keys.press('Escape')
  await page.getByLabel('New topic', { exact: true }).waitFor({ state: 'detached' })
  await go('drafts')
  await page.getByText('for somebody, later').click()
  await expect.poll(() => field().inputValue()).toBe('for somebody, later')
  await page.getByRole('button', { name: 'Close, the draft stays' }).click()
  await page.getByLabel('New topic', { exact: true }).waitFor({ state: 'detached' })
})

test('formatted text is pasted as Markdown, one undo makes it plain, and keys mark the selection', async () => {
  await openTopic('pasting')
  const html =
    '<p>See <b>gauge 4</b> and <a href="https://example.org/x">the log</a>:</p><ul><li>one</li><li><i>two</i></li></ul>'
  await paste(html, 'See gauge 4 and the log:\none\ntwo')
  expect(await field().inputValue()).toBe(
    'See **gauge 4** and [the log](https://example.org/x):\n\n* one\n* *two*',
  )
  await keys.press('Control+z')
  expect(await field().inputValue()).toBe('See gauge 4 and the log:\none\ntwo')
  await field().fill('')
  await paste('<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2|3</td></tr></table>', 'a b 1 2|3')
  expect(await field().inputValue()).toBe('| a | b |\n| --- | --- |\n| 1 | 2\\|3 |')
  // Content that runs in a page never gets this far.
  await field().fill('')
  await paste(
    '<b onclick="x()">bold</b><script>alert(1)</script><a href="javascript:alert(1)">here</a>',
    'bold here',
  )
  expect(await field().inputValue()).toBe('**bold**here')

  await field().fill('one two')
  await field().evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(4, 7))
  await keys.press('Control+b', 'Control+i')
  expect(await field().inputValue()).toBe('one ***two***')
  await keys.press('Control+z', 'Control+z')
  expect(await field().inputValue()).toBe('one two')
  await keys.press('Control+Shift+L')
  expect(await field().inputValue()).toBe('one [two](https://)')
})

test('an address over words makes a link of them, and one of this organization is written shortly', async () => {
  await openTopic('addresses')
  const select = (from: number, to: number) =>
    field().evaluate((element: HTMLTextAreaElement, range) => element.setSelectionRange(...range), [
      from,
      to,
    ] as const)
  await field().fill('see the log')
  await select(4, 11)
  await paste('', 'https://example.org/x')
  expect(await field().inputValue()).toBe('see [the log](https://example.org/x)')
  await keys.press('Control+z')
  expect(await field().inputValue()).toBe('see https://example.org/x')

  const server = stage.service.baseUrl.replace(/\/api\/v1\/?$/, '')
  for (const [link, short] of [
    ['channel/1-tide-gauges', '#**tide-gauges**'],
    ['channel/1-tide-gauges/topic/gauge.204.20offset.20drift', '#**tide-gauges>gauge 4 offset drift**'],
    ['channel/1-tide-gauges/topic/ebb/near/12', '#**tide-gauges>ebb@12**'],
    ['stream/1/subject/ebb/with/12', '#**tide-gauges>ebb**'],
  ]) {
    const address = `${server}/#narrow/${link}`
    await field().fill('')
    await paste('', address)
    await expect.poll(() => field().inputValue()).toBe(short)
    await keys.press('Control+z')
    expect(await field().inputValue()).toBe(address)
  }
  // An address of another organization stays as it is: it is inserted at once, and nothing replaces it later.
  await field().fill('')
  await paste('', 'https://elsewhere.example/#narrow/channel/1-tide-gauges')
  await paste('', ` ${server}/#narrow/channel/1-tide-gauges `)
  await expect
    .poll(() => field().inputValue())
    .toBe('https://elsewhere.example/#narrow/channel/1-tide-gauges#**tide-gauges**')

  // As plain text, by the keys for that.
  await field().fill('')
  await page.evaluate(() =>
    navigator.clipboard.write([
      new ClipboardItem({
        'text/html': new Blob(['<b>bold</b>'], { type: 'text/html' }),
        'text/plain': new Blob(['bold'], { type: 'text/plain' }),
      }),
    ]),
  )
  await field().focus()
  await keys.press('Control+v')
  await expect.poll(() => field().inputValue()).toBe('**bold**')
  await field().fill('')
  await keys.press('Control+Shift+V')
  await expect.poll(() => field().inputValue()).toBe('bold')
  await field().fill('')
})

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

test('the preview shows what it will look like, beside the text if wished', async () => {
  await field().fill('**bold** and `code`')
  await keys.press('Alt+p')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.locator('strong', { hasText: 'bold' }).waitFor()
  expect(await field().isVisible()).toBe(false)
  await keys.press('Alt+p')
  expect(await field().isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Side by side' }).click()
  expect(await field().isVisible()).toBe(true)
  await field().fill('**bolder**')
  await preview.locator('strong', { hasText: 'bolder' }).waitFor()
  await page.getByRole('button', { name: 'Write', exact: true }).click()
  await preview.waitFor({ state: 'detached' })
  await field().fill('')
})

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

test('everyone in a channel is not notified without a word', async () => {
  await openTopic('warnings')
  await keys.type('@all')
  await options().first().waitFor()
  await keys.press('Enter')
  await page.getByText(/You can’t notify all \d+ people in #tide-gauges/).waitFor()
  await field().fill('quiet')
  await page.getByText(/notifies all|notify all/).waitFor({ state: 'detached' })
  expect(await inTopic('warnings')).toEqual([])
  // The reason for a warning can be removed beside it.
  await field().fill('hello @**all**')
  await page.getByRole('button', { name: 'Notify no one' }).click()
  expect(await field().inputValue()).toBe('hello @_**all**')
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
  await page.getByText(/You are not subscribed/).waitFor({ state: 'detached' })
  await field().fill('')
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

test('a snippet is kept and inserted; a time is written for every zone', async () => {
  await openTopic('snippets')
  await keys.type('Tide tables are in the hut.')
  await keys.press("Control+'")
  const dialog = page.getByRole('dialog', { name: 'Snippets' })
  await dialog.getByRole('button', { name: 'Keep this text as a snippet' }).click()
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
    .poll(async () => {
      // The envelope of the service's own answer.
      const answer = (await stage.ask('GET', '/saved_snippets')) as { saved_snippets: { title: string }[] }
      return answer.saved_snippets.map(({ title }) => title).filter((title) => /^(Oars|Tables)$/.test(title))
    })
    .toEqual(['Oars'])

  // Without the server the snippet is there as well, and can be discarded or changed before it is sent.
  await stage.stopService()
  const offline = () =>
    page
      .getByTestId('sync-pill')
      .getByText(/Offline|Not reachable/)
      .waitFor()
  await offline()
  await dialog.getByRole('button', { name: 'Keep this text as a snippet' }).click()
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
  await dialog.getByText(/^This is not a time/).waitFor()
  await typeMoment(dialog, 'When', '2099-01-01T10:00')
  await dialog.getByRole('button', { name: 'Send later' }).click()
  await draftState()
    .getByText(/^Sends .* 2099, 10:00$/)
    .waitFor()
  // The person continues writing.
  const hasFocus = () => field().evaluate((element) => element === document.activeElement)
  await expect.poll(hasFocus).toBe(true)
  expect(await field().inputValue()).toBe('')
  // The note appears only in the conversation where the message was scheduled.
  await openTopic('not later')
  await draftState().getByText('Sends').waitFor({ state: 'detached' })
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
    { ...text('large.txt'), buffer: Buffer.alloc(20 * 2 ** 20) },
    text('small.txt'),
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
  await tray.getByRole('button', { name: 'Take second.txt out' }).click()
  await expect.poll(() => field().inputValue()).not.toContain('second')
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
  const refused = page.getByText('large.bin is not attached. It is larger than this server accepts')
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

test('offline, a message looks while it is written and while it waits as it will look when it is sent', async () => {
  await openTopic('looks')
  await stage.stopService()
  await page
    .getByTestId('sync-pill')
    .getByText(/Offline|Not reachable/)
    .waitFor()
  const [, other] = stage.service.accounts
  await field().fill(
    `**bold** @**${other?.full_name}** #**tide-gauges** :tada: \`code\` $$x^2$$\n\`\`\`python\nprint(1)\n\`\`\``,
  )
  await keys.press('Alt+p')
  const preview = page.getByRole('region', { name: 'Preview' })
  for (const part of ['strong', '.user-mention', 'a.stream', '.emoji', 'p code', '.katex', '.codehilite'])
    await preview.locator(part).first().waitFor()
  const looks = await preview.locator('.content').innerHTML()
  await keys.press('Control+Enter')
  const waiting = page.locator('.msg.q', { hasText: 'bold' })
  await expect.poll(() => waiting.locator('.content').innerHTML()).toBe(looks)
  await field().fill('/poll Where?\nHere\nThere')
  await keys.press('Control+Enter')
  await page.locator('.msg.q', { hasText: '/poll Where?' }).waitFor()
  await stage.startService()
  const sent = page.locator('.msg:not(.q)', { hasText: 'bold' })
  await sent.waitFor({ timeout: 60_000 })
  expect(await sent.locator('.content').innerHTML()).toBe(looks)
  await page.locator('.msg:not(.q)', { hasText: 'Where?' }).getByText('There').waitFor()
})

test('an emoji is written in the skin tone that was chosen, also the next time', async () => {
  await openTopic('emoji')
  const picker = page.getByRole('dialog', { name: 'Choose an emoji' })
  const pick = async (name: string) => {
    await picker.getByRole('combobox').fill(name)
    await picker.getByRole('gridcell').first().waitFor()
    await keys.press('Enter')
    await picker.waitFor({ state: 'detached' })
  }
  const open = () => page.getByRole('button', { name: 'Emoji', exact: true }).click()
  await open()
  for (const tone of ['none', 'light', 'medium light']) {
    await picker.getByRole('button', { name: `Skin tone: ${tone}`, exact: true }).click()
  }
  await picker.getByRole('button', { name: 'Skin tone: medium', exact: true }).waitFor()
  await pick('waving hand')
  await open()
  await pick('ocean')
  await open()
  await pick('clap')
  expect(await field().inputValue()).toBe('👋🏽 🌊 👏🏽')
  await field().fill('')
})

test('a message is changed with all that one is written with, offline too', async () => {
  await openTopic('changing')
  await keys.type('Who comes?')
  await keys.press('Control+Enter')
  const message = page.locator('.msg:not(.q)', { hasText: 'Who comes?' })
  await message.waitFor()
  await stage.stopService()
  await page
    .getByTestId('sync-pill')
    .getByText(/Offline|Not reachable/)
    .waitFor()
  await message.focus()
  await keys.press('e')
  const edited = page.getByLabel('Edit message')
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
  // Formatting by key and by button, as in a new message; but files and polls are not available.
  const box = page.getByRole('region', { name: 'Message being edited' })
  await edited.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(0, 3))
  await keys.press('Control+b')
  await box.getByRole('button', { name: 'Italic' }).click()
  expect(await edited.inputValue()).toMatch(
    /^\*\*\*Who\*\*\* comes\? @\*\*Keiko Tamura\*\* in #\*\*tide-gauges>/,
  )
  expect(await box.getByRole('button', { name: /Attach|Poll/ }).count()).toBe(0)
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
    ])
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
  await draft.getByText('It is safe on this device.').waitFor()
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

test('channel and topic are a button that sends the same words elsewhere', async () => {
  await openTopic('slack water')
  await field().fill('The board is dry.')
  await page.getByRole('button', { name: /^Change recipients: tide-gauges.*slack water/ }).press('Enter')
  const topic = page.locator('.cmp-wrap.new').getByRole('combobox', { name: 'Topic' })
  await expect.poll(() => topic.inputValue()).toBe('slack water')
  expect(await field().inputValue()).toBe('The board is dry.')
  await field().fill('')
  await page.getByRole('button', { name: 'Close, the draft stays' }).click()
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
