import { apiUser } from './shown-users.ts'
import { isGuest } from '../permissions/roles.ts'
import { knownUserIds, unknownUserName } from './user-access.ts'
import { userById, type Workspace } from '../workspace.ts'

/** Tells guests with limited access whom they may newly know of, and of whom no longer. */
export interface AcquaintanceWatch {
  /** Call before events that presuppose the people. */
  announceMet(): void
  /** Call after every other event of the change. */
  announceLost(): void
}

/** Whom a person knows of: these people, or everybody. */
type Known = ReadonlySet<number> | null

/**
 * Records whom guests (these people; everybody if null) know of before something changes. Only people with open queues
 * are ever told, and of those only guests with limited access. A change of `access` is different: it may limit people
 * who knew of everybody, or let limited people know of everybody.
 */
export function watchAcquaintances(
  workspace: Workspace,
  userIds: ReadonlySet<number> | null,
  about: 'people' | 'access' = 'people',
): AcquaintanceWatch {
  const { db, queues } = workspace
  const before = new Map<number, Known>()
  for (const { userId } of queues.interested('realm_user', userIds)) {
    const viewer = before.has(userId) ? undefined : userById(db, userId)
    if (viewer === undefined) continue
    const known = isGuest(viewer) ? knownUserIds(db, viewer) : null
    if (known !== null || about === 'access') before.set(userId, known)
  }
  const knownNow = (id: number): Known => {
    const viewer = userById(db, id)
    return viewer === undefined ? new Set() : knownUserIds(db, viewer)
  }
  const everybody = () => db.column<number>('SELECT user_id FROM users ORDER BY user_id')
  /** For each watched person: the people in `one` that are missing in the other. */
  function* difference(one: (id: number) => Known, other: (id: number) => Known) {
    for (const viewer of before.keys()) {
      const [has, lacks] = [one(viewer), other(viewer)]
      if (lacks === null) continue
      for (const id of has ?? everybody()) if (!lacks.has(id)) yield [viewer, id] as const
    }
  }
  const knownBefore = (id: number): Known => before.get(id) ?? null
  return {
    announceMet() {
      for (const [viewer, id] of difference(knownNow, knownBefore)) {
        const person = userById(db, id)
        if (person === undefined) continue
        workspace.publish([viewer], { type: 'realm_user', op: 'add', person: apiUser(person) })
      }
    },
    announceLost() {
      for (const [viewer, user_id] of difference(knownBefore, knownNow)) {
        const person = { user_id, full_name: unknownUserName }
        workspace.publish([viewer], { type: 'realm_user', op: 'remove', person })
      }
    },
  }
}
