import { background } from '../../src-shared/background.ts'
import { channelId } from '../../src-shared/ids.ts'
import { readCursor } from '../store/cursor.ts'
import { newestIn } from '../store/messages.ts'
import { joinedUnfetched, noteFetchedSince } from '../store/received-from.ts'
import { fetchPage, liveStretch, type BackfillParts } from './backfill.ts'
import { unreadableRestMs, withRetries, type RetryParts } from './with-retries.ts'

/** Fetches the newest messages of channels that the person joined: they did not receive what was sent before. */
export interface Joined {
  /** The person joined these channels. */
  fetch(channelIds: Iterable<number>): void
  /** Called whenever the server was heard: continues with what did not come yet. */
  goOn(): void
}

/** Fetches each channel once. A server that asks for patience, or has trouble, is asked again when it said, or later. */
export function createJoined(parts: BackfillParts & RetryParts & { log(line: string): void }): Joined {
  const { store, alarm, signal } = parts
  /** Joined since the start and not fetched; `joinedUnfetched` in the file has those of before, too. */
  const wanted = new Set<number>()
  const underWay = new Set<number>()
  /** In which registration the server refused a channel: it is asked again in the next one, or after joining again. */
  const refusedIn = new Map<number, number>()

  const run = async (id: number) => {
    const narrow = { kind: 'channel', channelId: channelId(id) } as const
    const answer = await withRetries(parts, () => fetchPage(parts, narrow, { kind: 'newest' }))
    if (answer === 'gone' || signal.aborted) return
    if (answer !== 'done') {
      parts.log(`sync: the server does not give a joined channel: ${answer.message}`)
      if (answer.kind === 'malformed') await alarm.pause(unreadableRestMs)
      else refusedIn.set(id, readCursor(store.db).generation)
      return
    }
    // Without a live range, the page did not come.
    if (liveStretch(store, narrow) === null) return
    wanted.delete(id)
    store.write((db) => noteFetchedSince(db, id, newestIn(db, narrow)))
  }

  const begin = (id: number) => {
    if (underWay.has(id) || refusedIn.get(id) === readCursor(store.db).generation) return
    underWay.add(id)
    background(
      run(id).finally(() => underWay.delete(id)),
      (line) => {
        if (!signal.aborted) parts.log(`sync: a joined channel could not be fetched: ${line}`)
      },
    )
  }

  return {
    fetch(channelIds) {
      for (const id of channelIds) {
        wanted.add(id)
        refusedIn.delete(id)
        begin(id)
      }
    },
    goOn() {
      for (const id of new Set([...wanted, ...joinedUnfetched(store.db)])) begin(id)
    },
  }
}
