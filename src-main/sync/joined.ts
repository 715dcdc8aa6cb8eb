import { background } from '../../src-shared/background.ts'
import { channelId } from '../../src-shared/ids.ts'
import { readCursor } from '../store/cursor.ts'
import { newestIn } from '../store/messages.ts'
import { joinedUnfetched, noteFetchedSince } from '../store/received-from.ts'
import { fetchPage, liveStretch, type BackfillParts } from './backfill.ts'
import type { Pace } from './pace.ts'
import { singleRun } from './single-run.ts'
import { unreadableRestMs, withRetries, type RetryParts } from './with-retries.ts'

/** Fetches the newest messages of channels that the person joined: they did not receive what was sent before. */
export interface Joined {
  /** The person joined these channels. */
  fetch(channelIds: Iterable<number>): void
  /** Called whenever the server was heard: continues with what did not come yet. */
  resume(): void
}

/**
 * Fetches each channel once, one after another. A server that asks for patience, or has trouble, is asked again when it
 * said, or later.
 */
export function createJoined(
  parts: BackfillParts & RetryParts & { readonly pace: Pace; log(line: string): void },
): Joined {
  const { store, alarm, signal, pace } = parts
  /** Joined since the start and not fetched; `joinedUnfetched` in the file has those of before, too. */
  const wanted = new Set<number>()
  /** In which registration the server refused a channel: it is asked again in the next one, or after joining again. */
  const refusedIn = new Map<number, number>()
  /** Channels whose answers could not be read, and which rest. */
  const resting = new Set<number>()

  const rest = (id: number) => {
    resting.add(id)
    const rested = alarm.pause(unreadableRestMs).then(() => resting.delete(id))
    background(rested, parts.log)
  }

  const fetchOne = async (id: number) => {
    const narrow = { kind: 'channel', channelId: channelId(id) } as const
    const answer = await pace.run(() =>
      withRetries(parts, () => fetchPage(parts, narrow, { kind: 'newest' })),
    )
    if (answer === 'gone' || signal.aborted) return
    if (answer !== 'done') {
      parts.log(`sync: the server does not give a joined channel: ${answer.message}`)
      if (answer.kind === 'malformed') rest(id)
      else refusedIn.set(id, readCursor(store.db).generation)
      return
    }
    // Without a live range, the page did not come.
    if (liveStretch(store, narrow) === null) return
    wanted.delete(id)
    store.write((db) => noteFetchedSince(db, id, newestIn(db, narrow)))
  }

  const run = async () => {
    const asked = new Set<number>()
    const next = () =>
      [...wanted, ...joinedUnfetched(store.db)].find(
        (id) => !asked.has(id) && !resting.has(id) && refusedIn.get(id) !== readCursor(store.db).generation,
      )
    while (!signal.aborted && parts.link.state.status === 'online') {
      const id = next()
      if (id === undefined) return
      asked.add(id)
      await fetchOne(id)
    }
  }

  const resume = singleRun(parts, 'joined channels could not be fetched', run)
  return {
    fetch(channelIds) {
      for (const id of channelIds) {
        wanted.add(id)
        refusedIn.delete(id)
      }
      resume()
    },
    resume,
  }
}
