import type { Page } from 'playwright-core'
import { compare, quantile } from './measure.ts'
import { benchAccount, organizationOf } from './renderer-account.ts'
import type { Measured, Stage } from './renderer.ts'
import { openChromium, workDone, type Window } from './renderer-window.ts'
import { randomFrom, workload } from './workload.ts'

const perRound = 40

/** How long a click holds the button down, in milliseconds: slightly shorter than by hand. */
const heldMs = 60

/** A link in the corner of the page for mouse clicks, so that any conversation is one click away. */
async function pressLink(page: Page, attributes: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate((given) => {
    const old = document.querySelector('#bench-link')
    const link = old ?? document.body.appendChild(document.createElement('a'))
    link.id = 'bench-link'
    link.setAttribute('style', 'position:fixed;left:0;bottom:0;width:12px;height:12px;z-index:9999')
    for (const [name, value] of Object.entries(given)) link.setAttribute(name, value)
  }, attributes)
  await page.mouse.click(5, 895, { delay: heldMs })
}

/** Milliseconds from the next click until something that `isThere` finds is painted; called in the page. */
async function watchPaint(page: Page, wanted: string): Promise<() => Promise<number>> {
  await page.evaluate((selector) => {
    const before = new Set(document.querySelectorAll(selector))
    const state = { painted: Promise.resolve(0) }
    Reflect.set(globalThis, 'benchPaint', state)
    state.painted = new Promise((resolve) => {
      addEventListener(
        'click',
        ({ timeStamp }) => {
          const note = () => resolve(performance.now() - timeStamp)
          const observer = new MutationObserver(() => {
            if (![...document.querySelectorAll(selector)].some((one) => !before.has(one))) return
            observer.disconnect()
            // The first task after the frame: others were there before it, but the picture does not wait for them.
            requestAnimationFrame(() => void scheduler.postTask(note, { priority: 'user-blocking' }))
          })
          observer.observe(document.body, { childList: true, subtree: true })
        },
        { once: true, capture: true },
      )
    })
  }, wanted)
  return () =>
    page.evaluate(() => (Reflect.get(globalThis, 'benchPaint') as { painted: Promise<number> }).painted)
}

export const addressOfTopic = (channelId: number, topic: string) =>
  `#/${benchAccount}/channel/${channelId}/topic/${encodeURIComponent(topic)}`

/** Addresses of conversations that have messages, each equally likely. */
export function* anyConversation(messages: number, seed: number): Generator<string> {
  const known = new Set<string>()
  let looked = 0
  for (const { conversation } of workload(organizationOf(messages))) {
    if (conversation.kind === 'topic') known.add(addressOfTopic(conversation.channelId, conversation.topic))
    if (++looked >= Math.min(messages, 300_000)) break
  }
  const all = [...known]
  const random = randomFrom(seed)
  for (;;) yield all[Math.floor(random() * all.length)] ?? ''
}

/** Opens the app at the inbox. */
export async function openApp({ host, app }: Stage): Promise<Window> {
  const window = await openChromium(await host.ask({ kind: 'window', directory: app }))
  // A handle on an element would keep its page in memory.
  await window.page.waitForFunction(() => document.querySelector('.ibx .ir') !== null)
  await window.cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  return window
}

/** Opens the list without a framework. */
export async function openList({ host, floor }: Stage): Promise<Window> {
  const window = await openChromium(await host.ask({ kind: 'window', directory: floor }))
  await window.page.waitForSelector('main button')
  await window.page.goto(new URL('list.html', window.page.url()).href)
  await window.page.waitForSelector('.msg')
  await window.cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  return window
}

/** From the click on a conversation until its messages are painted. */
export async function switching(stage: Stage): Promise<Measured> {
  const floor = await openList(stage)
  const app = await openApp(stage)
  const conversations = anyConversation(stage.messages, 21)
  const times: number[] = []
  const work: number[] = []
  const click = async (window: Window, attributes: Readonly<Record<string, string>>) => {
    const painted = await watchPaint(window.page, '.msg')
    const before = await workDone(window)
    await pressLink(window.page, attributes)
    const ms = await painted()
    const after = await workDone(window)
    await window.page.waitForTimeout(60)
    return { ms, work: after.task - before.task }
  }
  const lines = await compare('from the click on any conversation to its messages painted', stage.rounds, [
    {
      name: '15 messages that are at hand, as innerHTML',
      async run(round) {
        const all: number[] = []
        for (let turn = 0; turn < perRound; turn++)
          all.push((await click(floor, { 'data-from': String(round * 900 + turn * 21) })).ms)
        return all
      },
    },
    {
      name: 'Dunlin',
      async run() {
        const all: number[] = []
        for (let turn = 0; turn < perRound; turn++) {
          const { ms, work: done } = await click(app, { href: conversations.next().value ?? '' })
          all.push(ms)
          work.push(done)
        }
        times.push(...all)
        return all
      },
    },
  ])
  await floor.close()
  await app.close()
  const at95 = (all: number[]) =>
    quantile(
      all.sort((a, b) => a - b),
      0.95,
    ).toFixed(0)
  return {
    lines,
    facts: [
      `A conversation is painted ${at95(times)} ms after the click at the 95 % (goal: 50), which ends a press of ${heldMs} ms; the main thread works ${at95(work)} ms for both.`,
    ],
  }
}
