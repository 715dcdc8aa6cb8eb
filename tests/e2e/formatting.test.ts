import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeWriting, openWriting, stage, page, field, keys, openTopic, paste } from './writing-stage.ts'

// What a message is written with: formatting, addresses, the preview.

beforeAll(openWriting)
afterAll(closeWriting)

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
    ['stream/1/subject/ebb/with/999999', '#**tide-gauges>ebb**'],
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

test('the preview shows what it will look like, beside the text if wished', async () => {
  await field().fill('**bold** and `code`')
  await keys.press('Alt+p')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.locator('strong', { hasText: 'bold' }).waitFor()
  expect(await field().isVisible()).toBe(false)
  expect(await preview.getAttribute('aria-live')).toBe('polite')
  await keys.press('Alt+p')
  expect(await field().isVisible()).toBe(true)
  // Whoever answers with the key from elsewhere writes on.
  await keys.press('Alt+p')
  await preview.waitFor()
  await preview.evaluate((element) => element.blur())
  await keys.press('r')
  await expect.poll(() => field().evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await field().isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Side by side' }).click()
  expect(await field().isVisible()).toBe(true)
  await field().fill('**bolder**')
  await preview.locator('strong', { hasText: 'bolder' }).waitFor()
  // Beside the field, it would be read out at every key.
  expect(await preview.getAttribute('aria-live')).toBeNull()
  await page.getByRole('button', { name: 'Write', exact: true }).click()
  await preview.waitFor({ state: 'detached' })
  // In a narrower box the buttons are in the menu.
  await page.setViewportSize({ width: 1280, height: 900 })
  const more = page.getByRole('button', { name: 'More formatting' })
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Side by side' }).waitFor()
  await keys.press('Escape')
  await expect.poll(() => more.evaluate((element) => element === document.activeElement)).toBe(true)
  await more.click()
  await page.getByRole('menuitem', { name: 'Side by side' }).click()
  await preview.locator('strong', { hasText: 'bolder' }).waitFor()
  expect(await field().isVisible()).toBe(true)
  // What a command makes of the text is shown, and cannot be answered yet.
  await field().fill('/poll Which boat?\nTern\nSkua')
  const poll = preview.getByRole('region', { name: 'Poll' })
  await poll.getByRole('heading', { name: 'Which boat?' }).waitFor()
  expect(await poll.getByRole('button', { name: 'Skua, 0 votes' }).isDisabled()).toBe(true)
  await field().fill('/todo Pack\nrope: 20 m')
  await preview.getByRole('region', { name: 'To-do list' }).getByText('20 m').waitFor()
  await page.getByRole('button', { name: 'Write', exact: true }).click()
  await preview.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'More formatting' }).click()
  await page.getByRole('menuitem', { name: 'Message formatting' }).click()
  await page.getByRole('dialog', { name: 'Message formatting' }).waitFor()
  await keys.press('Escape')
  await expect.poll(() => field().evaluate((element) => element === document.activeElement)).toBe(true)
  await page.setViewportSize({ width: 1440, height: 900 })
  await field().fill('')
})

test('offline, a message looks while it is written and while it waits as it will look when it is sent', async () => {
  await openTopic('looks')
  await stage.stopService()
  await page
    .getByTestId('sync-pill')
    .getByText(/Offline|Not reachable/)
    .waitFor()
  // The help on formatting renders its examples here, too.
  await field().fill('')
  await keys.press('Control+k')
  await keys.type('>help formatting')
  await page.getByRole('option', { name: 'Help on message formatting' }).waitFor()
  await keys.press('Enter')
  const help = page.getByRole('dialog', { name: 'Message formatting' })
  for (const part of [
    'strong',
    'del',
    '.user-mention',
    'a.stream',
    '.emoji',
    'time',
    '.katex',
    '.codehilite',
  ])
    await help.locator(part).first().waitFor()
  await help.getByRole('textbox', { name: 'Find a format' }).fill('spoil')
  await expect.poll(() => help.getByRole('term').count()).toBe(1)
  await help.getByRole('button', { name: 'How many seals?' }).press('Enter')
  await help.getByText('Forty-two.').last().waitFor()
  await keys.press('Escape')
  await help.waitFor({ state: 'detached' })
  await expect.poll(() => field().evaluate((element) => element === document.activeElement)).toBe(true)
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
  // Nobody can answer a poll that is not sent yet.
  const poll = page.locator('.msg.q').getByRole('region', { name: 'Poll' })
  await poll.getByRole('heading', { name: 'Where?' }).waitFor()
  expect(await poll.getByRole('button', { name: 'Here, 0 votes', exact: true }).isDisabled()).toBe(true)
  expect(await poll.getByRole('textbox').count()).toBe(0)
  await stage.startService()
  const sent = page.locator('.msg:not(.q)', { hasText: 'bold' })
  await sent.waitFor({ timeout: 60_000 })
  expect(await sent.locator('.content').innerHTML()).toBe(looks)
  await page.locator('.msg:not(.q)', { hasText: 'Where?' }).getByText('There').waitFor()
})
