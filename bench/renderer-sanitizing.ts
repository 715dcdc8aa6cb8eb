import { compare } from './measure.ts'
import type { Measured, Stage } from './renderer.ts'
import type { Way } from './renderer-pages/sanitizing.ts'
import { openChromium } from './renderer-window.ts'

const perRound = 10

/** Fifty messages of every kind, from the server's text to layout. */
export async function sanitizing({ host, floor, rounds }: Stage): Promise<Measured> {
  const window = await openChromium(await host.ask({ kind: 'window', directory: floor }))
  await window.page.waitForSelector('main button')
  await window.page.goto(new URL('sanitizing.html', window.page.url()).href)
  await window.page.waitForFunction(() => globalThis.timeOf !== undefined)
  const contender = (name: string, way: Way) => ({
    name,
    async run(round: number) {
      const all: number[] = []
      for (let turn = 0; turn < perRound; turn++)
        all.push(
          await window.page.evaluate(([how, from]) => globalThis.timeOf?.(how, from) ?? Number.NaN, [
            way,
            (round * perRound + turn) * 50,
          ] as const),
        )
      return all
    },
  })
  const lines = await compare('50 messages, sanitized and laid out', rounds, [
    contender('parsed only, which is not safe', 'parsing'),
    contender('DOMPurify as it comes', 'purifying'),
    contender('Dunlin, with all that is added to them', 'dunlin'),
  ])
  await window.close()
  return { lines, facts: [] }
}
