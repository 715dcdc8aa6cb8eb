import type { Page } from 'playwright-core'
import { compare, quantile } from './measure.ts'
import { addressOfTopic, openApp, openList } from './renderer-switching.ts'
import type { Measured, Stage } from './renderer.ts'
import { benchAccount, mixedTopic } from './renderer-account.ts'
import { workDone, type Window } from './renderer-window.ts'
import { word } from './workload.ts'

const text = Array.from({ length: 6 }, (_, rank) => word(rank * 3 + 20)).join(' ')
const settleMs = 60

/** Types a text key by key; returns, for each key, the main thread's milliseconds until the page was quiet again. */
async function workPerKey(
  window: Window,
  field: string,
  typed: string,
): Promise<{ task: number[]; script: number[] }> {
  const { page } = window
  await page.click(field)
  await page.waitForTimeout(300)
  const all = { task: [] as number[], script: [] as number[] }
  for (const key of typed) {
    const before = await workDone(window)
    await page.keyboard.press(key === ' ' ? 'Space' : key)
    await page.waitForTimeout(settleMs)
    const after = await workDone(window)
    all.task.push(after.task - before.task)
    all.script.push(after.script - before.script)
  }
  return all
}

/** Makes the page record, for each key, when the resulting search results were painted. */
async function notePaints(page: Page): Promise<void> {
  await page.evaluate(() => {
    const state = { times: [] as number[] }
    Reflect.set(globalThis, 'benchKeys', state)
    let pressed = 0
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        pressed = timeStamp
        state.times.push(0)
      },
      true,
    )
    const note = () => (state.times[state.times.length - 1] = performance.now() - pressed)
    let isAwaited = false
    new MutationObserver((changes) => {
      const isResult = ({ target }: MutationRecord) => target.parentElement?.closest('.search-page') != null
      if (isAwaited || !changes.some(isResult)) return
      isAwaited = true
      requestAnimationFrame(() => {
        isAwaited = false
        // The first task after the frame, as for a click.
        void scheduler.postTask(note, { priority: 'user-blocking' })
      })
    }).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    })
  })
}

/** The cost of a key while writing and while searching. */
export async function typing(stage: Stage): Promise<Measured> {
  const floor = await openList(stage)
  const app = await openApp(stage)
  const { page } = app
  const longest = { compose: 0, search: 0 }
  const plain = {
    name: 'a bare text field',
    async run() {
      await floor.page.fill('textarea', '')
      return (await workPerKey(floor, 'textarea', text)).task
    },
  }
  await page.evaluate(
    (hash) => (location.hash = hash),
    addressOfTopic(mixedTopic.channelId, mixedTopic.topic),
  )
  await page.waitForSelector('.cmp textarea')
  const compose = await compare('work of the main thread for one key while writing', stage.rounds, [
    plain,
    {
      name: 'Dunlin',
      async run() {
        await page.fill('.cmp textarea', '')
        const { task, script } = await workPerKey(app, '.cmp textarea', text)
        longest.compose = Math.max(longest.compose, ...script)
        return task
      },
    },
  ])
  await page.evaluate((hash) => (location.hash = hash), `#/${benchAccount}/search?text=`)
  await page.waitForSelector('.search-page')
  await notePaints(page)
  const painted: number[] = []
  const search = await compare('work of the main thread for one key while searching', stage.rounds, [
    plain,
    {
      name: 'Dunlin',
      async run(round) {
        const typed = `${word(20 + round)} ${word(31 + round)}`
        await page.keyboard.press('Escape')
        await page.evaluate((hash) => (location.hash = hash), `#/${benchAccount}/search?text=`)
        await page.fill('input[role="combobox"]', '')
        await page.evaluate(
          () => ((Reflect.get(globalThis, 'benchKeys') as { times: number[] }).times.length = 0),
        )
        const { task, script } = await workPerKey(app, 'input[role="combobox"]', typed)
        longest.search = Math.max(longest.search, ...script)
        painted.push(
          ...(await page.evaluate(() => (Reflect.get(globalThis, 'benchKeys') as { times: number[] }).times)),
        )
        return task
      },
    },
  ])
  await floor.close()
  await app.close()
  const sorted = painted.filter((ms) => ms > 0).sort((a, b) => a - b)
  return {
    lines: [...compose, ...search],
    facts: [
      `The longest script of one key took ${longest.compose.toFixed(0)} ms while writing and ${longest.search.toFixed(0)} ms while searching (goal: 16).`,
      `Search results are painted ${quantile(sorted, 0.5).toFixed(0)} ms after the key (goal: 50), ${quantile(sorted, 0.95).toFixed(0)} ms at the 95 %, ${(sorted.at(-1) ?? 0).toFixed(0)} ms at most.`,
    ],
  }
}
