import type { Alarm } from '../../src-shared/clock/alarm.ts'

/** The pause between two background requests: people's own requests come first, and servers limit rates. */
const politeMs = 500

/** Runs background requests one after another, with a pause after each. */
export interface Pace {
  run<Result>(ask: () => Promise<Result>): Promise<Result>
}

/** The pace of one account, shared by all of its background work. */
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
