import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  closeWriting,
  openWriting,
  stage,
  page,
  field,
  suggestions,
  options,
  chosenOption,
  keys,
  openTopic,
} from './writing-stage.ts'

// What is offered while one writes: people, channels, topics, emoji, languages.

beforeAll(openWriting)
afterAll(closeWriting)

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
  await keys.type('`@kei` @kei')
  await suggestions().waitFor()
  await keys.press('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft')
  await suggestions().waitFor({ state: 'detached' })
  await field().fill('')
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
  await keys.type(':clap')
  await expect.poll(() => chosenOption().textContent()).toContain('👏🏽')
  await keys.press('Enter')
  expect(await field().inputValue()).toBe('👏🏽 ')
  await field().fill('')
})
