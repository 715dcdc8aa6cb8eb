import { waitingTotal } from '../queries/outbox.ts'
import { badgeTotal, unreadTotals } from '../queries/unread-totals.ts'
import type { Store } from '../store/database.ts'
import type { AccountEvents } from './account-events.ts'

/** The unread counts of an account; `badge` is the number at the app's icon. */
export type UnreadCounts = ReturnType<typeof unreadTotals> & { readonly badge: number }

/** The counts of an account for the list of accounts, the icon and the tray; always up to date. */
export interface Counts {
  readonly unread: UnreadCounts
  /** The person's changes that the server does not know yet. */
  readonly waiting: number
  stop(): void
}

/** The tables that the unread counts are computed from. */
const countedTables = ['conversations', 'topic_visibility', 'channels', 'account_settings']

/** Counts now and after every change, and reports changes to the engine, until `stop` is called. */
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
