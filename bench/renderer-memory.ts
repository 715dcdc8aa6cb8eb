import { setTimeout as sleep } from 'node:timers/promises'
import { mixedTopic } from './renderer-account.ts'
import { addressOfTopic, anyConversation } from './renderer-switching.ts'
import type { Measured, Stage } from './renderer.ts'
import { openUnwatched, type UnwatchedWindow } from './unwatched-window.ts'
import { word } from './workload.ts'

/** What a person opens, searches and writes in an hour. */
const hour = { conversations: 240, searches: 24, drafts: 48 }
/** How many times the memory is measured in between. */
const looks = 4
/** How long each conversation stays open, in ms, so that late drawing finishes before the next one. */
const lookMs = 60

/**
 * How long the window rests before its memory is measured, in ms. For some seconds Chromium keeps the pieces of what it
 * drew last, so that it can use them again.
 */
const restMs = 10_000

/** One part of the hour. */
async function use(window: UnwatchedWindow, conversations: Iterator<string>, part: number): Promise<void> {
  const go = async (hash: string, wanted: string) => {
    await window.run(`location.hash = ${JSON.stringify(hash)}`)
    await window.until(wanted)
  }
  const writeIn = async (field: string, text: string) => {
    await window.until(field)
    await window.run(`document.querySelector(${JSON.stringify(field)}).focus()`)
    await window.type(text)
  }
  for (let turn = 0; turn < hour.conversations / looks; turn++) {
    await go(conversations.next().value as string, '.msg')
    await sleep(lookMs)
    if (turn % (hour.conversations / hour.drafts) === 0)
      await writeIn('.cmp textarea', `${word(turn)} ${word(part)}`)
    if (turn % (hour.conversations / hour.searches) === 0) {
      await go('#/bench/search?text=', 'input[role="combobox"]')
      await writeIn('input[role="combobox"]', word(20 + turn))
      await window.until('#search-results')
      await go('#/bench/inbox', '.ibx .ir')
    }
    if (turn % 12 === 0) {
      await go(addressOfTopic(mixedTopic.channelId, mixedTopic.topic), '.msg')
      for (let wheel = 0; wheel < 20; wheel++) await window.wheel(-1_500)
    }
  }
  await go('#/bench/inbox', '.ibx .ir')
  await sleep(restMs)
}

/** The renderer's memory above that of an empty page, over an hour of use. */
export async function heldMemory({ host, floor, app, messages }: Stage): Promise<Measured> {
  const open = async (directory: string, wanted: string) => {
    const window = await openUnwatched(await host.ask({ kind: 'window', directory }))
    await window.until(wanted)
    return window
  }
  const empty = await open(floor, 'main button')
  const least = await empty.memory()
  await empty.close()
  const window = await open(app, '.ibx .ir')
  const conversations = anyConversation(messages, 33)
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
