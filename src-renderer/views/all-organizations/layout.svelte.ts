import type { UnreadFilter, UnreadOrder } from './unread-rows.ts'

/** The layout of the inbox of all organizations, kept for a person who comes back from a row. */
class Layout {
  order = $state<UnreadOrder>('organization')
  filter = $state<UnreadFilter>('all')
}

export const layout = new Layout()
