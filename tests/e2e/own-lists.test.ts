import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// Lists of what a person wants to be notified of and what not, and what they say of themselves, in a real window: by
// keyboard, without the server, and after a restart.

let stage: Stage
let page: Page

const rota = 'channel/1/topic/battery%20swap%20rota'
const open = async (name: string, title: string) => {
  await goTo(page, `settings/${name}`)
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
}
const rows = (list: string) => page.getByRole('list', { name: list }).getByRole('listitem')
const texts = async (list: string) =>
  (await rows(list).allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim())
/** Undoes the last action, by the button of the toast with this text. */
const undo = (words: string) =>
  page.getByRole('status').filter({ hasText: words }).getByRole('button', { name: 'Undo' }).click()
const marks = () => page.locator('.msg mark.alert-word')
const waits = () => page.getByRole('img', { name: 'Waiting for the server' })

/** Collects the names in chips from now on; call what it returns to know them. */
async function namesOfChips(): Promise<() => Promise<ReadonlySet<string>>> {
  const seen = await page.evaluateHandle(() => {
    const names: string[] = []
    const note = () => {
      for (const { textContent } of document.querySelectorAll('.hp .trunc')) names.push(textContent)
    }
    note()
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
    return names
  })
  return async () => new Set(await seen.jsonValue())
}

beforeAll(async () => {
  stage = await openStage()
  page = stage.page
  const muted = stage.service.accounts.find(({ full_name }) => full_name === 'Keiko Tamura')
  await stage.ask('POST', `/users/me/muted_users/${muted?.user_id}`)
  await stage.signIn()
})
afterAll(() => stage?.close())

test('an alert word is added by keyboard, marked where it stands, and no more once it is removed', async () => {
  await goTo(page, rota)
  await page.locator('.msg').first().waitFor()
  expect(await marks().count()).toBe(0)
  const text = (await page.locator('.msg .content').last().textContent()) ?? ''
  const word = /\p{L}{5,}/u.exec(text)?.[0] ?? ''

  await open('alert-words', 'Alert words')
  const field = page.getByRole('textbox', { name: 'Word or phrase' })
  await field.fill(`  ${word.toUpperCase()} `)
  await field.press('Enter')
  await rows('Alert words').getByText(word.toUpperCase(), { exact: true }).waitFor()
  expect(await field.inputValue()).toBe('')
  await field.fill(word)
  await field.press('Enter')
  await page.getByRole('alert').getByText('is already an alert word').waitFor()

  await goTo(page, rota)
  await marks().first().waitFor()
  for (const found of await marks().allTextContents()) expect(found.toLowerCase()).toBe(word.toLowerCase())

  await open('alert-words', 'Alert words')
  await field.fill('spring tide')
  await field.press('Enter')
  await rows('Alert words').nth(1).waitFor()
  await page.getByRole('button', { name: `Remove “${word.toUpperCase()}”` }).press('Enter')
  await expect.poll(() => texts('Alert words')).toEqual(['spring tide'])
  // The focus moved to the next row.
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
    'Remove “spring tide”',
  )
  await goTo(page, rota)
  await page.locator('.msg').first().waitFor()
  await expect.poll(() => marks().count()).toBe(0)
})

test('somebody muted is found, unmuted, and muted again by Undo', async () => {
  await open('muted', 'Muted and followed')
  await rows('Muted people').getByText('Keiko Tamura').waitFor()
  await page.getByRole('button', { name: 'Unmute Keiko Tamura' }).click()
  await page.getByText('No one is muted.').waitFor()
  await undo('Keiko Tamura')
  await rows('Muted people').getByText('Keiko Tamura').waitFor()
})

test('topics are shown by what was chosen, lead to themselves, and leave the list', async () => {
  await open('muted', 'Muted and followed')
  const list = rows('Muted and followed topics')
  await list.getByText('tide tables').waitFor()
  const all = await list.count()
  await page.getByRole('button', { name: 'Muted', exact: true }).click()
  await expect.poll(() => list.count()).toBeLessThan(all)
  const muted = await list.count()
  const chosen = page.getByRole('combobox', { name: 'Visibility of #tide-gauges › tide tables' })
  expect(await chosen.inputValue()).toBe('muted')
  await chosen.selectOption('Channel default')
  await expect.poll(() => list.count()).toBe(muted - 1)
  await undo('is back to its channel’s default')
  await expect.poll(() => list.count()).toBe(muted)
  await list.getByRole('link', { name: /tide tables/ }).click()
  await page.waitForURL(/topic\/tide%20tables/)
})

test('notifications are paused in the menu, which the title bar says, and resumed in the settings', async () => {
  const mark = page.getByTestId('quiet-mark')
  expect(await mark.count()).toBe(0)
  await goTo(page, rota)
  await page
    .getByRole('button', { name: /Skerry/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Pause notifications' }).press('ArrowRight')
  await page.getByRole('menuitem', { name: 'Until tomorrow' }).press('Enter')
  await mark.waitFor()
  expect(await mark.getAttribute('aria-label')).toMatch(/^No notifications until \w{3}.*08:00$/)
  await mark.click()
  await page.getByText(/^Paused until/).waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(() => mark.count()).toBe(0)
  await page.getByRole('button', { name: 'For 1 hour' }).click()
  await mark.waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'For 1 hour' }).waitFor()
})

test('quiet hours are set by keyboard and hold after a restart', async () => {
  await open('notifications', 'Notifications')
  const begins = page.getByRole('combobox', { name: 'Quiet begins' })
  const ends = page.getByRole('combobox', { name: 'Quiet ends' })
  expect([await begins.inputValue(), await ends.inputValue()]).toEqual(['1200', '390'])
  // Quiet hours of a whole day, so that they apply whenever this test runs.
  await begins.selectOption('00:00')
  await ends.selectOption('00:00')
  const isOn = page.getByRole('switch', { name: 'Stay quiet between' })
  await isOn.press('Space')
  await page.getByTestId('quiet-mark').waitFor()
  for (const day of ['Monday', 'Sunday']) await page.getByRole('button', { name: day }).press('Enter')
  await page.reload()
  await isOn.waitFor()
  await expect.poll(() => isOn.getAttribute('aria-checked')).toBe('true')
  const pressed = page.getByRole('group', { name: 'On these days' }).locator('[aria-pressed="true"]')
  await expect.poll(() => pressed.count()).toBe(5)
  expect([await begins.inputValue(), await ends.inputValue()]).toEqual(['0', '0'])
  await isOn.press('Space')
  await expect.poll(() => page.getByTestId('quiet-mark').count()).toBe(0)
})

test('offline the lists change too, say what waits, and are the same after a restart', async () => {
  await open('alert-words', 'Alert words')
  await stage.stopService()
  await page.locator('.sync.off[data-testid="sync-pill"]').waitFor({ timeout: 60_000 })
  const field = page.getByRole('textbox', { name: 'Word or phrase' })
  await field.fill('landslip')
  await field.press('Enter')
  await rows('Alert words').getByText('landslip').waitFor()
  await page.getByRole('button', { name: 'Remove “spring tide”' }).click()
  await expect.poll(() => texts('Alert words')).toEqual(['landslip'])
  await stage.stopApp()
  await stage.startApp()
  await page.locator('nav.sb').waitFor()
  await open('alert-words', 'Alert words')
  await expect.poll(() => texts('Alert words')).toEqual(['landslip'])
  expect(await waits().count()).toBe(1)
  await stage.startService()
  await expect.poll(() => waits().count(), { timeout: 60_000 }).toBe(0)
  await expect
    .poll(() => stage.ask('GET', '/users/me/alert_words'))
    .toMatchObject({ alert_words: ['landslip'] })
})

test('profile fields are filled in, each in its way, undone, and fixed where only administrators may', async () => {
  await open('profile', 'Profile')
  const row = (name: string) => page.locator('.st-r').filter({ has: page.getByText(name, { exact: true }) })
  const save = (name: string) => row(name).getByRole('button', { name: 'Save' })
  const said = async () => {
    // The answers' forms by the specification; the user is one with profile fields.
    const { custom_fields } = (await stage.ask('GET', '/realm/profile_fields')) as {
      custom_fields: { id: number; name: string; field_data: string }[]
    }
    const { profile_data } = (await stage.ask('GET', '/users/me')) as {
      profile_data: Record<string, { value: string }>
    }
    return Object.fromEntries(custom_fields.map(({ id, name }) => [name, profile_data[id]?.value ?? '']))
  }
  const aboutId = async () => {
    const { custom_fields } = (await stage.ask('GET', '/realm/profile_fields')) as {
      custom_fields: { id: number; name: string }[]
    }
    return custom_fields.find(({ name }) => name === 'About me')?.id
  }
  const before = await said()
  const pronouns = page.getByRole('textbox', { name: 'Pronouns' })
  await pronouns.fill('x'.repeat(51))
  await pronouns.press('Enter')
  await page.getByRole('alert').getByText('At most 50 characters fit here.').waitFor()
  await pronouns.fill('they, them')
  await pronouns.press('Enter')
  await undo('“Pronouns” changed')
  await expect.poll(() => pronouns.inputValue()).toBe('she, her')

  const notebook = page.getByRole('textbox', { name: 'Field notebook' })
  await notebook.fill('knots.example')
  await save('Field notebook').click()
  await page.getByRole('alert').getByText('A link starts with').waitFor()
  await notebook.fill('https://knots.example/1 2')
  await save('Field notebook').click()
  await page.getByRole('alert').getByText('A link has no spaces in it.').waitFor()
  await notebook.fill('https://knots.example/1')
  await save('Field notebook').click()
  // What is typed stays until it is saved, also when the page is left.
  const about = page.getByRole('textbox', { name: 'About me' })
  await about.fill('Counts birds\nand rings them')
  await page.reload()
  await expect.poll(() => about.inputValue()).toBe('Counts birds\nand rings them')
  await save('About me').click()
  await expect.poll(async () => (await said())['About me']).toBe('Counts birds\nand rings them')
  await goTo(page, rota)
  await open('profile', 'Profile')
  await save('About me').and(page.locator(':disabled')).waitFor()
  // What the organization says of a field describes it, of every kind.
  for (const fieldId of [5, 6])
    await stage.ask('PATCH', `/realm/profile_fields/${fieldId}`, { hint: 'For the rota' }, stage.other)
  for (const name of ['First aid until', 'Stands in'])
    await page.getByRole('group', { name, description: 'For the rota' }).waitFor()
  const description = 'When you are easiest to reach'
  await page.getByRole('combobox', { name: 'Usual watch', description }).waitFor()
  await page.getByRole('combobox', { name: 'Usual watch' }).selectOption('Late tide')
  await page.getByRole('spinbutton', { name: /^First aid until, year/ }).press('ArrowUp')
  await save('First aid until').click()
  const chipNames = await namesOfChips()
  await page.getByRole('button', { name: 'Remove Hanne Berg' }).click()
  await page.getByRole('button', { name: 'Add people: Stands in' }).press('Enter')
  await page.getByRole('searchbox', { name: 'Find people' }).fill('keiko')
  await page.locator('.hp-pop').getByRole('button', { name: 'Keiko Tamura' }).click()
  await expect.poll(said).toEqual({
    ...before,
    'Field notebook': 'https://knots.example/1',
    'About me': 'Counts birds\nand rings them',
    'Usual watch': 'late',
    'First aid until': '2028-03-01',
    'Stands in': `[${stage.service.accounts.find(({ full_name }) => full_name === 'Keiko Tamura')?.user_id}]`,
  })

  // What is said of a change is not said any more once the server refuses it.
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Maren *Aske*')
  await goTo(page, rota)
  await open('profile', 'Profile')
  await expect.poll(() => name.inputValue()).toBe('Maren *Aske*')
  await name.press('Enter')
  await page.getByRole('alert').getByText('Invalid characters in name!').waitFor()
  await expect.poll(() => page.locator('.toast').count(), { timeout: 2_000 }).toBe(0)
  await page.getByRole('button', { name: 'Dismiss' }).click()

  // From the first moment on, whoever was chosen has their name.
  expect(await chipNames()).toEqual(new Set(['Hanne Berg', 'Keiko Tamura']))

  // Words that the server refuses can be read, and stay once the refusal is dismissed.
  await notebook.fill('https://[knots')
  await save('Field notebook').click()
  const refusal = page.getByRole('alert').filter({ hasText: 'is not a URL' })
  await refusal.getByText('https://[knots', { exact: true }).waitFor()
  await goTo(page, 'drafts')
  await page.locator('.failr').getByText('https://[knots', { exact: true }).waitFor()
  await open('profile', 'Profile')
  await refusal.getByRole('button', { name: 'Dismiss' }).click()
  await goTo(page, 'drafts')
  await page.getByRole('button', { name: 'Recently deleted' }).click()
  await page.getByText('https://[knots', { exact: true }).waitFor()
  await open('profile', 'Profile')

  // A value that another device changed meanwhile is told of, and can be taken instead of what was typed.
  await about.fill('Counts waders')
  const pen = { data: JSON.stringify([{ id: Number(await aboutId()), value: 'Rings waders' }]) }
  await stage.ask('PATCH', '/users/me/profile_data', pen)
  const since = page.getByRole('status').filter({ hasText: 'It was changed in the meantime.' })
  await since.getByText('Rings waders').waitFor()
  await page.reload()
  await since.getByText('Rings waders').waitFor()
  expect(await about.inputValue()).toBe('Counts waders')
  await since.getByRole('button', { name: 'Use that text' }).click()
  await since.waitFor({ state: 'detached' })
  expect(await about.inputValue()).toBe('Rings waders')
  // What was typed for a field that is gone is a draft.
  await about.fill('Counts waders and gulls')
  await page.getByRole('textbox', { name: 'Pronouns' }).focus()
  await stage.ask('DELETE', `/realm/profile_fields/${await aboutId()}`, {}, stage.other)
  await page.getByRole('status').filter({ hasText: 'is now a draft' }).getByRole('button').click()
  await page.locator('.dr').getByText('Counts waders and gulls').waitFor()
  await open('profile', 'Profile')

  await stage.ask('PATCH', '/realm/profile_fields/3', { editable_by_user: 'false' }, stage.other)
  await row('Works on').getByText('Only administrators can change this.').waitFor()
  expect(await row('Works on').getByRole('textbox').count()).toBe(0)
  await row('Works on').getByText('Roosts, coordination').waitFor()
})
