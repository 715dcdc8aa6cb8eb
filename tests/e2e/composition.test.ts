import type { CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// While an input method composes a word, Enter and Esc are about that word and nothing else.

let stage: Stage
let devtools: CDPSession

beforeAll(async () => {
  stage = await openStage()
  devtools = await stage.page.context().newCDPSession(stage.page)
  await stage.signIn()
})

afterAll(() => stage?.close())

/** Composes text in the focused field, as an input method does, and leaves it unfinished. */
const compose = (text: string) =>
  devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })

test('Enter and Esc in a composition open nothing, clear nothing and close nothing', async () => {
  const { page } = stage
  await goTo(page, 'search?text=drift')
  await page.locator('mark').first().waitFor()
  const field = page.getByRole('combobox', { name: 'Search messages' })
  await field.focus()
  const before = page.url()
  await compose('ほ')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  expect(await field.inputValue()).toContain('ほ')
  expect(page.url().split('?')[0]).toBe(before.split('?')[0])
  await devtools.send('Input.insertText', { text: '' })

  await goTo(page, 'inbox')
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  await page.keyboard.press('Shift+?')
  const dialog = page.getByRole('dialog', { name: 'Shortcuts' })
  await dialog.getByRole('textbox').focus()
  await compose('ほ')
  await page.keyboard.press('Escape')
  expect(await dialog.count()).toBe(1)
})
