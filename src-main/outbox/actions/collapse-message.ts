import { areCollapsed, setCollapsed } from '../../store/flags.ts'
import type { OfflineAction } from '../offline-action.ts'
import { areDisjoint, joinFlags, sendFlag } from './send-flag.ts'

/** Collapses messages, so that their text is hidden, or expands them. */
export const collapseMessage: OfflineAction<'collapse-message'> = {
  isRepeatable: true,
  lane: () => 'collapse',
  mayCancel: true,
  isApplied: (db, { messageIds, on }) => areCollapsed(db, messageIds, on),
  apply: (db, { messageIds, on }) => setCollapsed(db, messageIds, on),
  async send(action, context) {
    await sendFlag(action.messageIds, action.on ? 'add' : 'remove', 'collapsed', context, (messageIds) =>
      context.saveProgress({ ...action, messageIds: [...messageIds] }),
    )
    return null
  },
  concerns: ({ messageIds }) => messageIds,
  mayOvertake: (action, earlier) => earlier.name === 'collapse-message' && areDisjoint(action, earlier),
  join: joinFlags,
}
