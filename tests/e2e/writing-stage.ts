import type { Page } from 'playwright-core'
import { goTo } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// What the journeys about writing a message share: a window with the demo, and the compose box in it.

/** The journey that runs now. */
export let stage: Stage
export let page: Page

/** For `beforeAll`. */
export async function openWriting(): Promise<void> {
  stage = await openStage({ window: { permissions: ['clipboard-read', 'clipboard-write'] } })
  page = stage.page
  await stage.signIn()
}

/** For `afterAll`. */
export const closeWriting = (): Promise<void> | undefined => stage?.close()

export const field = () => page.getByLabel('Message', { exact: true })
export const draftState = () => page.getByTestId('draft-state')
export const suggestions = () => page.getByRole('listbox', { name: 'Suggestions' })
export const options = () => suggestions().getByRole('option')
export const chosenOption = () => suggestions().locator('[aria-selected="true"]')

export const keys = {
  type: (text: string) => page.keyboard.type(text),
  press: async (...all: string[]) => {
    for (const key of all) await page.keyboard.press(key)
  },
}
export const go = (place: string) => goTo(page, place)
export const openTopic = async (topic: string) => {
  await go(`channel/1/topic/${encodeURIComponent(topic)}`)
  await page.getByLabel(`Compose to tide-gauges, ${topic}`).waitFor()
  await field().click()
}
export const onServer = async (narrow: unknown) => {
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
export const inTopic = (topic: string) =>
  onServer([
    { operator: 'channel', operand: 1 },
    { operator: 'topic', operand: topic },
  ])
/** Pastes formatted text at the caret, as a browser does. */
export const paste = (html: string, plain: string) =>
  field().evaluate(
    (element, { html, plain }) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', html)
      clipboardData.setData('text/plain', plain)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    { html, plain },
  )
