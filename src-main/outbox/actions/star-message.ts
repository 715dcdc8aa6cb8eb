import { isStarred, setStarred } from '../../store/flags.ts'
import type { OfflineAction } from '../offline-action.ts'
import { areDisjoint, joinFlags, sendFlag } from './send-flag.ts'

/** Stars or unstars messages (specification, POST /messages/flags). */
export const starMessage: OfflineAction<'star-message'> = {
  isRepeatable: true,
  // One lane for all, so that the last change of a message is sent last.
  lane: () => 'star',
  mayCancel: true,
  isApplied: (db, { messageIds, on }) => messageIds.every((id) => isStarred(db, id) === on),
  apply: (db, { messageIds, on, restores }, { clock }) =>
    setStarred(db, messageIds, on, restores === true ? 'as before' : clock.now()),
  async send(action, context) {
    await sendFlag(action.messageIds, action.on ? 'add' : 'remove', 'starred', context, (messageIds) =>
      context.saveProgress({ ...action, messageIds: [...messageIds] }),
    )
    return null
  },
  concerns: ({ messageIds }) => messageIds,
  mayOvertake: (action, earlier) => earlier.name === 'star-message' && areDisjoint(action, earlier),
  join: joinFlags,
}
