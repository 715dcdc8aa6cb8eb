import { compare } from './measure.ts'
import { mixedTopic } from './renderer-account.ts'
import { openApp, openList } from './renderer-switching.ts'
import type { Measured, Stage } from './renderer.ts'
import { workDone } from './renderer-window.ts'

const perRound = 20

/** A message arrives in one of the 2,000 channels of the sidebar. */
export async function arrivals(stage: Stage): Promise<Measured> {
  const floor = await openList(stage)
  const app = await openApp(stage)
  await app.page.evaluate((hash) => (location.hash = hash), '#/bench/starred')
  await app.page.waitForTimeout(2_000)
  let id = stage.messages + mixedTopic.messages
  const lines = await compare('work of the main thread for one new message elsewhere', stage.rounds, [
    {
      name: 'a number in a page of the same size',
      async run() {
        const all: number[] = []
        for (let turn = 0; turn < perRound; turn++) {
          const before = await workDone(floor)
          await floor.page.evaluate((text) => {
            const row = document.querySelector('.msg .tm time')
            if (row !== null) row.textContent = text
          }, String(turn))
          await floor.page.waitForTimeout(150)
          all.push((await workDone(floor)).task - before.task)
        }
        return all
      },
    },
    {
      name: 'Dunlin',
      async run() {
        const all: number[] = []
        for (let turn = 0; turn < perRound; turn++) {
          const before = await workDone(app)
          id++
          await stage.host.ask({
            kind: 'message',
            id,
            channelId: (id % 1_900) + 1,
            topic: `topic ${id % 40_000}`,
          })
          await app.page.waitForTimeout(150)
          all.push((await workDone(app)).task - before.task)
        }
        return all
      },
    },
  ])
  await floor.close()
  await app.close()
  return { lines, facts: [] }
}
