import type { Alarm } from './alarm.ts'

/** Between two requests of the background: people's own requests come first, and servers count. */
const politeMs = 500

/** The order in which the background asks: one request after another, with a pause behind each. */
export interface Pace {
  run<Result>(ask: () => Promise<Result>): Promise<Result>
}

/** One for an account, whatever in its background asks. */
export function createPace(alarm: Alarm): Pace {
  let free: Promise<unknown> = Promise.resolve()
  return {
    run(ask) {
      const answer = free.then(ask)
      const settled = answer.then(
        () => {},
        () => {},
      )
      free = settled.then(() => alarm.pause(politeMs))
      return answer
    },
  }
}
