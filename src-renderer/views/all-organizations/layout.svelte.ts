import type { UnreadFilter, UnreadOrder } from './unread-rows.ts'

/** How the inbox of all organizations is laid out; as it was left, for whoever comes back from a row. */
class Layout {
  order = $state<UnreadOrder>('organization')
  filter = $state<UnreadFilter>('all')
}

export const layout = new Layout()
