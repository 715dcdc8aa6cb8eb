import type { ListOrder, UnreadFilter } from './conversation-rows.ts'

/** The layout of the lists over all organizations, kept for a person who comes back from a row. */
class Layout {
  inboxOrder = $state<ListOrder>('organization')
  recentOrder = $state<ListOrder>('time')
  filter = $state<UnreadFilter>('all')
  /** How many rows of an organization are shown in each list, if they are more than at first; by its account. */
  shownInInbox = $state<Record<string, number>>({})
  shownInRecent = $state<Record<string, number>>({})
}

export const layout = new Layout()
