import { waitingTotal } from '../queries/outbox.ts'
import { badgeTotal, unreadTotals } from '../queries/unread-totals.ts'
import type { Store } from '../store/database.ts'
import type { AccountEvents } from './account-events.ts'

/** What is unread in an account, as windows and the system show it. */
export type UnreadCounts = ReturnType<typeof unreadTotals> & { readonly badge: number }

/** An account's numbers for what has no window. */
export interface Counts {
  readonly unread: UnreadCounts
  /** The person's changes that the server does not know yet. */
  readonly waiting: number
  stop(): void
}

/** What the unread counts depend on. */
const countedTables = ['conversations', 'topic_visibility', 'channels', 'account_settings']

/** Counts now and after every change, and tells the engine, until it is stopped. */
export function watchCounts(store: Store, events: AccountEvents): Counts {
  const count = (): UnreadCounts => ({ ...unreadTotals(store.db), badge: badgeTotal(store.db) })
  let unread = count()
  const stopCounting = store.onChange(countedTables, () => {
    unread = count()
    events.countsChanged()
  })
  let waiting = waitingTotal(store.db)
  const stopWaiting = store.onChange(['outbox'], () => {
    const before = waiting
    waiting = waitingTotal(store.db)
    if (waiting !== before) events.shellChanged()
  })
  return {
    get unread() {
      return unread
    },
    get waiting() {
      return waiting
    },
    stop() {
      stopCounting()
      stopWaiting()
    },
  }
}
