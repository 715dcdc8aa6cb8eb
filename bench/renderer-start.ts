import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { compare } from './measure.ts'
import type { Measured, Stage } from './renderer.ts'
import { openChromium, type Window } from './renderer-window.ts'

/**
 * How long a page starts before Playwright connects, in milliseconds: its script takes 11 ms of the main thread, which
 * came before the first frame of a page that is not painted by then, and after that of a faster one.
 */
const aloneMs = 2_000

/** A new Chromium with the folder's start page; resolves when the probe's element was painted. */
async function start({ host }: Stage, directory: string): Promise<{ window: Window; ms: number }> {
  const window = await openChromium(await host.ask({ kind: 'window', directory }), aloneMs)
  const paintedAt = await window.page.waitForFunction(() => Reflect.get(globalThis, 'paintedAt') as unknown)
  return { window, ms: Number(await paintedAt.jsonValue()) - window.startedAt }
}

/** From Chromium's start to the inbox, offline. */
export async function starts(stage: Stage): Promise<Measured> {
  const contender = (name: string, directory: string) => ({
    name,
    async run() {
      const { window, ms } = await start(stage, directory)
      await window.close()
      return [ms]
    },
  })
  const lines = await compare('from starting Chromium to the first content painted, offline', stage.rounds, [
    contender('an empty Svelte page', stage.floor),
    contender('Dunlin, the inbox', stage.app),
  ])
  return { lines, facts: [] }
}

/** How much JavaScript was loaded before the inbox appeared, by the sizes of the files. */
export async function scriptOfFirstPaint(stage: Stage): Promise<Measured> {
  const { window } = await start(stage, stage.app)
  const names = await window.page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(
        ({ startTime }) => performance.timeOrigin + startTime < Number(Reflect.get(globalThis, 'paintedAt')),
      )
      // Below the secret path of the window.
      .map(({ name }) => new URL(name).pathname.replace(/^.*(?=\/assets\/)/, ''))
      .filter((path) => path.startsWith('/assets/') && path.endsWith('.js')),
  )
  await window.close()
  const sizes = names.map((name) => gzipSync(readFileSync(join(stage.app, name))).length)
  const kib = sizes.reduce((sum, size) => sum + size, 0) / 1_000
  return {
    lines: [],
    facts: [
      `Until the inbox is painted, ${kib.toFixed(0)} KB of compressed JavaScript are loaded (goal: 120).`,
    ],
  }
}
