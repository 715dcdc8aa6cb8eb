import { compare, quantile, type Contender } from './measure.ts'
import { mixedTopic } from './renderer-account.ts'
import { addressOfTopic, openApp, openList } from './renderer-switching.ts'
import type { Measured, Stage } from './renderer.ts'
import { workDone, type Window } from './renderer-window.ts'

const frames = 300
const pixels = 400

interface Scrolled {
  /** Milliseconds between frames. */
  readonly times: number[]
  /** Frames that showed nothing where messages belong. */
  readonly blank: number
  /** Frames in which the list was at its beginning although there are older messages. */
  readonly stuck: number
}

/** Scrolls towards older messages by that many pixels per frame. */
const scrollUp = (window: Window): Promise<Scrolled> =>
  window.page.evaluate(
    async ({ frames: count, pixels: step }) => {
      const scroller = document.querySelector<HTMLElement>('.feed')!
      // Like a reader's hand: nothing else moves the list.
      scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -step, bubbles: true }))
      const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
      const { left, top, width, height } = scroller.getBoundingClientRect()
      const isBlank = () =>
        [0.3, 0.5, 0.7].every(
          (part) =>
            document.elementFromPoint(left + width / 2, top + height * part)?.closest('.msg, [data-row]') ==
            null,
        )
      const times: number[] = []
      let [blank, stuck] = [0, 0]
      let last = await nextFrame()
      for (let frame = 0; frame < count; frame++) {
        if (scroller.scrollTop <= 0) stuck++
        scroller.scrollTop -= step
        if (isBlank()) blank++
        const now = await nextFrame()
        times.push(now - last)
        last = now
      }
      return { times, blank, stuck }
    },
    { frames, pixels },
  )

/** Scrolling through twenty thousand messages of every height. */
export async function scrolling(stage: Stage): Promise<Measured> {
  const floor = await openList(stage)
  const app = await openApp(stage)
  await app.page.evaluate(
    (hash) => (location.hash = hash),
    addressOfTopic(mixedTopic.channelId, mixedTopic.topic),
  )
  await app.page.waitForSelector('.msg')
  await app.page.waitForTimeout(1_000)
  const of = (name: string, window: Window) => ({
    name,
    window,
    work: [] as number[],
    all: { blank: 0, stuck: 0, times: [] as number[] },
  })
  const contenders = [of('a list without a framework', floor), of('Dunlin', app)]
  const frameLines = await compare(
    `a frame while scrolling ${pixels} px in each`,
    stage.rounds,
    contenders.map(({ name, window, work, all }): Contender => ({
      name,
      async run() {
        const before = await workDone(window)
        const { times, blank, stuck } = await scrollUp(window)
        work.push(((await workDone(window)).task - before.task) / frames)
        all.blank += blank
        all.stuck += stuck
        all.times.push(...times)
        await window.page.waitForTimeout(500)
        return times
      },
    })),
  )
  const workLines = await compare(
    'work of the main thread for such a frame',
    1,
    contenders.map(({ name, work }) => ({ name, run: () => work })),
  )
  await floor.close()
  await app.close()
  return {
    lines: [...frameLines, ...workLines],
    facts: contenders.map(
      ({ name, all }) =>
        `Scrolling, ${name}: 99 of 100 frames within ${quantile(
          all.times.sort((a, b) => a - b),
          0.99,
        ).toFixed(0)} ms (goal: 25), ` +
        `of ${all.times.length} frames ${all.blank} blank and ${all.stuck} waiting for older messages.`,
    ),
  }
}
