import { apiUser } from './handlers/users.ts'
import { isGuest } from './permissions.ts'
import { knownUserIds, strangerName } from './user-access.ts'
import { userById, type UserRow, type Workspace } from './workspace.ts'

/** Tells limited guests whom they came to know of, or know of no more, between two moments. */
export interface AcquaintanceWatch {
  /** To be called before events that presume the people. */
  announceMet(): void
  /** To be called after every other event of the change. */
  announceLost(): void
}

/**
 * Notes whom guests (these people; everybody when null) know of before something changes. Only guests who know of some
 * people alone, and who are listening, are ever told.
 */
export function watchAcquaintances(
  workspace: Workspace,
  userIds: ReadonlySet<number> | null,
): AcquaintanceWatch {
  const { db, queues } = workspace
  const before = new Map<UserRow, ReadonlySet<number>>()
  const listening = new Set(queues.interested('realm_user', userIds).map(({ userId }) => userId))
  for (const id of listening) {
    const viewer = userById(db, id)
    const known = viewer === undefined || !isGuest(viewer) ? null : knownUserIds(db, viewer)
    if (viewer !== undefined && known !== null) before.set(viewer, known)
  }
  return {
    announceMet() {
      for (const [viewer, known] of before) {
        for (const id of knownUserIds(db, viewer) ?? []) {
          const person = known.has(id) ? undefined : userById(db, id)
          if (person === undefined) continue
          workspace.publish([viewer.user_id], { type: 'realm_user', op: 'add', person: apiUser(person) })
        }
      }
    },
    announceLost() {
      for (const [viewer, known] of before) {
        const now = knownUserIds(db, viewer)
        for (const user_id of known) {
          if (now?.has(user_id) !== false) continue
          const person = { user_id, full_name: strangerName }
          workspace.publish([viewer.user_id], { type: 'realm_user', op: 'remove', person })
        }
      }
    },
  }
}
