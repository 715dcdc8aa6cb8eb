import type { CheckedParamsOf, ResultOf } from '../../src-shared/bridge/queries.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { Shown, ShownFeed } from '../sync/sync.ts'
import { accountQueries, type AccountQueryContext, type AccountQueryName } from '../queries/index.ts'
import type { ReadableDb, Store } from '../store/database.ts'

/** The queries that windows watch, and the messages that they show. */
export interface OnScreen {
  /** Calls `update` with the query's result now and after every change, as `Store.watch` does. */
  watch<N extends AccountQueryName>(
    name: N,
    params: CheckedParamsOf<N>,
    update: (json: string) => void,
  ): () => void
  /** Tells what is on screen, at the end of this turn of the event loop. */
  compareSoon(): void
}

/**
 * Compares the messages that feeds, searches and lists show with the server, each time one of these queries runs:
 * they may have been changed while events were missed.
 */
export function createOnScreen(parts: {
  readonly store: Store
  readonly signal: AbortSignal
  queryContext(db: ReadableDb): AccountQueryContext
  compare(shown: Shown): void
}): OnScreen {
  const { store, signal } = parts
  const shown = new Map<object, Shown>()
  let isComparing = false

  const compareSoon = () => {
    if (isComparing) return
    isComparing = true
    queueMicrotask(() => {
      isComparing = false
      if (signal.aborted) return
      const all = [...shown.values()]
      parts.compare({
        messageIds: all.flatMap(({ messageIds }) => messageIds),
        feeds: all.flatMap(({ feeds }) => feeds),
      })
    })
  }

  return {
    compareSoon,
    watch(name, params, update) {
      const key = {}
      const stop = store.watch((db) => {
        const result = accountQueries[name](parts.queryContext(db), params)
        const ids = messagesIn(name, result)
        if (ids !== null) {
          const narrow = name === 'feed' && 'narrow' in params ? params.narrow : null
          // As in `messagesIn`.
          const feeds = narrow === null ? [] : [{ ...(result as ResultOf<'feed'>), narrow }]
          shown.set(key, { messageIds: ids, feeds: feeds.map(shownFeed) })
          compareSoon()
        }
        return result
      }, update)
      return () => {
        stop()
        if (shown.delete(key)) compareSoon()
      }
    },
  }
}

const shownFeed = ({
  narrow,
  messages,
  before,
  after,
}: ResultOf<'feed'> & { readonly narrow: Narrow }): ShownFeed => ({
  narrow,
  first: messages[0]?.id ?? null,
  last: messages.at(-1)?.id ?? null,
  isFromBeginning: before === 'beginning',
  isToEnd: after === 'end',
})

/** The messages that a result shows; null if the query is not about messages. */
function messagesIn(name: AccountQueryName, result: ResultOf<AccountQueryName>): number[] | null {
  // The result belongs to the query of this name; TypeScript cannot follow that through the lookup.
  if (name === 'feed') return (result as ResultOf<'feed'>).messages.map(({ id }) => id)
  const found =
    name === 'search' || name === 'search-inside'
      ? (result as ResultOf<'search' | 'search-inside'>).results
      : name === 'starred'
        ? (result as ResultOf<'starred'>)
        : null
  return found?.map(({ messageId }) => messageId) ?? null
}
