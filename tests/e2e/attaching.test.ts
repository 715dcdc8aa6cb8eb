import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  closeWriting,
  openWriting,
  stage,
  page,
  field,
  keys,
  go,
  openTopic,
  inTopic,
} from './writing-stage.ts'

// Files that take long to copy, while the person goes on.

beforeAll(openWriting)
afterAll(closeWriting)

/** Keeps the window from reading files, and so from copying them; returns how to let it, or to make it fail. */
async function holdFiles(): Promise<(how: 'read' | 'fail') => Promise<void>> {
  await page.evaluate(() => {
    const { arrayBuffer } = Blob.prototype
    const held = new Promise<string>((done) => {
      addEventListener('message', ({ data }) => done(String(data)), { once: true })
    })
    Blob.prototype.arrayBuffer = async function () {
      const how = await held
      Blob.prototype.arrayBuffer = arrayBuffer
      if (how === 'fail') throw new Error('The stick was pulled out.')
      return arrayBuffer.call(this)
    }
  })
  return (how) => page.evaluate((word) => postMessage(word, '*'), how)
}
const drop = (place: Locator, ...names: string[]) =>
  place.evaluate((element, all) => {
    const dataTransfer = new DataTransfer()
    for (const name of all) dataTransfer.items.add(new File([name], name, { type: 'text/plain' }))
    for (const type of ['dragover', 'drop'])
      element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }, names)
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
const tray = () => page.getByRole('list', { name: 'Files' })

test('a message that is sent while its files are being copied has all of them', async () => {
  await openTopic('files at once')
  await keys.type('Three: ')
  const release = await holdFiles()
  await drop(page.locator('main h1'), 'a.txt', 'b.txt', 'c.txt')
  await expect
    .poll(() => field().inputValue())
    .toMatch(
      /^Three: \[a\.txt\]\(dunlin-file:\w+\) \[b\.txt\]\(dunlin-file:\w+\) \[c\.txt\]\(dunlin-file:\w+\) $/,
    )
  await keys.press('Control+Enter')
  await expect.poll(() => field().inputValue()).toBe('')
  await release('read')
  await expect
    .poll(() => inTopic('files at once'))
    .toEqual([expect.stringMatching(/^Three: (\[[abc]\.txt\]\(\/user_uploads\/\S+\) ?){3}$/)])
  expect(await field().inputValue()).toBe('')
})

test('a new message that is closed while its files are being copied keeps them', async () => {
  await go('inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await keys.press('c')
  await page.getByRole('combobox', { name: 'Channel' }).waitFor()
  await field().fill('For whom? ')
  const release = await holdFiles()
  await drop(page.locator('main h1'), 'd.txt', 'e.txt')
  await expect.poll(() => field().inputValue()).toMatch(/^For whom\? \[d\.txt\]\(.+\) \[e\.txt\]\(.+\) $/)
  await keys.press('Escape')
  await page.getByLabel('New topic', { exact: true }).waitFor({ state: 'detached' })
  await release('read')
  await go('drafts')
  await page.locator('.dr', { hasText: 'For whom?' }).getByRole('button').first().click()
  await expect
    .poll(() => field().inputValue())
    .toMatch(/^For whom\? \[d\.txt\]\(\/user_uploads\/\S+\) \[e\.txt\]\(\/user_uploads\/\S+\)/)
  await field().fill('')
  await keys.press('Escape')
})

test('files stay with the message that they were dropped on when the person turns to another', async () => {
  const send = (topic: string) =>
    stage.ask(
      'POST',
      '/messages',
      { type: 'stream', to: '1', topic, content: `About the ${topic}.` },
      stage.other,
    )
  await send('first hut')
  await send('second hut')
  await go('combined')
  await page.locator('.msg').first().waitFor()
  const message = (topic: string) => page.locator('.msg:not(.q)', { hasText: `About the ${topic}.` }).last()
  // The feed opens at the first unread message, and what comes below may still be on its way.
  await expect
    .poll(async () => {
      await keys.press('End')
      return message('second hut').count()
    })
    .toBe(1)
  await message('first hut').focus()
  await keys.press('r')
  await expect.poll(focused).toBe('Message')
  const release = await holdFiles()
  await drop(page.locator('main h1'), 'f.txt', 'g.txt')
  await expect.poll(() => field().inputValue()).toMatch(/^\[f\.txt\]\(.+\) \[g\.txt\]\(.+\) $/)
  await message('second hut').focus()
  await keys.press('r')
  await expect.poll(() => field().inputValue()).toBe('')
  await release('read')
  await keys.press('Escape')
  await openTopic('first hut')
  await expect
    .poll(() => field().inputValue())
    .toMatch(/^\[f\.txt\]\(\/user_uploads\/\S+\) \[g\.txt\]\(\/user_uploads\/\S+\)/)
  await field().fill('')
  await openTopic('second hut')
  expect(await field().inputValue()).toBe('')
})

test('an edit that is given up while its files are being copied is not begun again by them', async () => {
  await openTopic('files in edits')
  await keys.type('Which hut?')
  await keys.press('Control+Enter')
  await expect.poll(() => inTopic('files in edits')).toEqual(['Which hut?'])
  await page.locator('.msg:not(.q)', { hasText: 'Which hut?' }).focus()
  await keys.press('e')
  const edited = page.getByLabel('Edit message')
  await expect.poll(() => edited.inputValue()).toBe('Which hut?')
  const release = await holdFiles()
  await drop(edited, 'h.txt', 'i.txt')
  await expect.poll(() => edited.inputValue()).toMatch(/^Which hut\?\n\[h\.txt\]\(.+\) \[i\.txt\]\(.+\) $/)
  await page
    .getByRole('region', { name: 'Message being edited' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await edited.waitFor({ state: 'detached' })
  await release('fail')
  // The box in which it would stand has gone.
  await page.locator('.toast').getByText('h.txt wasn’t attached').waitFor()
  const row = page.locator('.msg:not(.q)', { hasText: 'Which hut?' })
  expect(await row.getByRole('button', { name: 'Continue' }).count()).toBe(0)
})

test('a file that is taken out while it is being copied is no problem, and the person goes on writing', async () => {
  await openTopic('files taken out')
  await keys.type('Both: ')
  const release = await holdFiles()
  await drop(page.locator('main h1'), 'j.txt', 'k.txt')
  await tray().getByRole('button', { name: 'Remove j.txt' }).press('Enter')
  await expect.poll(() => field().inputValue()).toMatch(/^Both: \[k\.txt\]\(dunlin-file:\w+\) $/)
  expect(await focused()).toBe('Message')
  await field().evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(4, 4))
  await release('read')
  await expect.poll(() => field().inputValue()).toMatch(/^Both: \[k\.txt\]\(\/user_uploads\/\S+\) $/)
  await keys.type(' of them')
  expect(await field().inputValue()).toMatch(/^Both of them: \[k\.txt\]/)
  expect(await page.getByText('j.txt is not attached').count()).toBe(0)
  await field().fill('')
})
