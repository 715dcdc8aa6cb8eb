import { status } from '../../../src-shared/api/status.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { object, putObject, removeObject } from '../../store/objects.ts'
import type { OfflineAction } from '../offline-action.ts'

/** The four fields that make up a status; an empty one clears it. */
const fieldsOf = ({ text, emoji }: ActionOf<'set-status'>) => ({
  status_text: text,
  emoji_name: emoji?.name ?? '',
  emoji_code: emoji?.code ?? '',
  reaction_type: emoji?.type ?? '',
})

/** Sets or clears the own status (specification, POST /users/me/status). */
export const setStatus: OfflineAction<'set-status'> = {
  isRepeatable: true,
  lane: () => 'status',
  isApplied(db, action, { ownUserId }) {
    const now = object(db, 'user-status', ownUserId) ?? {}
    return Object.entries(fieldsOf(action)).every(([name, value]) => (now[name] ?? '') === value)
  },
  apply(db, action, { ownUserId }) {
    const before = object(db, 'user-status', ownUserId) ?? {}
    // The server omits cleared fields.
    const after = Object.entries({ ...before, ...fieldsOf(action) }).filter(([, value]) => value !== '')
    if (after.length === 0) removeObject(db, 'user-status', ownUserId)
    else putObject(db, 'user-status', ownUserId, Object.fromEntries(after))
  },
  async send(action, { connection, signal }) {
    await connection.call(status.updateOwnStatus, fieldsOf(action), { signal })
    return null
  },
  join: (_earlier, later) => later,
}
