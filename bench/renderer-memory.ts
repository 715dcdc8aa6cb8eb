import { mixedTopic } from './renderer-account.ts'
import { addressOfTopic, anyConversation, openApp } from './renderer-switching.ts'
import type { Measured, Stage } from './renderer.ts'
import { openChromium, type Window } from './renderer-window.ts'
import { word } from './workload.ts'

/** What a person opens, searches and writes in an hour. */
const hour = { conversations: 240, searches: 24, drafts: 48 }
/** So often in between it is looked what is held. */
const looks = 4

/** One stretch of the hour. */
async function use({ page }: Window, conversations: Iterator<string>, part: number): Promise<void> {
  // A handle on an element would keep its whole page of the past.
  const until = (wanted: string) =>
    page.waitForFunction((selector) => document.querySelector(selector) !== null, wanted)
  const go = async (hash: string, wanted: string) => {
    await page.evaluate((to) => (location.hash = to), hash)
    await until(wanted)
  }
  for (let turn = 0; turn < hour.conversations / looks; turn++) {
    await go(conversations.next().value as string, '.msg')
    if (turn % (hour.conversations / hour.drafts) === 0) {
      await page.click('.cmp textarea')
      await page.keyboard.type(`${word(turn)} ${word(part)}`)
    }
    if (turn % (hour.conversations / hour.searches) === 0) {
      await go('#/bench/search?text=', 'input[role="combobox"]')
      await page.keyboard.type(word(20 + turn))
      await until('#search-results')
      await go('#/bench/inbox', '.ibx .ir')
    }
    if (turn % 12 === 0) {
      await go(addressOfTopic(mixedTopic.channelId, mixedTopic.topic), '.msg')
      await page.mouse.move(700, 400)
      for (let wheel = 0; wheel < 20; wheel++) await page.mouse.wheel(0, -1_500)
    }
  }
  await go('#/bench/inbox', '.ibx .ir')
  await page.waitForTimeout(500)
}

/** What the renderer holds above an empty page, over an hour of use. */
export async function heldMemory(stage: Stage): Promise<Measured> {
  const empty = await openChromium(await stage.host.ask({ kind: 'window', directory: stage.floor }))
  await empty.page.waitForSelector('main button')
  const least = await empty.memory()
  await empty.close()
  const window = await openApp(stage)
  const conversations = anyConversation(stage.messages, 33)
  const held = [await window.memory()]
  for (let part = 0; part < looks; part++) {
    await use(window, conversations, part)
    held.push(await window.memory())
  }
  await window.close()
  const above = held.map((all) => (all - least).toFixed(0))
  return {
    lines: [],
    facts: [
      `The renderer holds ${above[0]} MiB above an empty page at the start (goal: 80, and no more after an hour), and after each quarter of an hour of use ` +
        `(${hour.conversations} conversations, ${hour.searches} searches, ${hour.drafts} drafts) ${above.slice(1).join(', ')} MiB.`,
    ],
  }
}
