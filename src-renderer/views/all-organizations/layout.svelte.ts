import type { ListOrder, UnreadFilter } from './conversation-rows.ts'

/** The layout of the lists over all organizations, kept for a person who comes back from a row. */
class Layout {
  inboxOrder = $state<ListOrder>('organization')
  recentOrder = $state<ListOrder>('time')
  filter = $state<UnreadFilter>('all')
}

export const layout = new Layout()
