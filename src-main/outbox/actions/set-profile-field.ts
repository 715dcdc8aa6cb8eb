import { profileFields } from '../../../src-shared/api/profile-fields.ts'
import { profileValueText } from '../../../src-shared/model/profile.ts'
import { profileEntry, profileValue, setProfileValue } from '../../store/users.ts'
import type { OfflineAction } from '../offline-action.ts'

interface Entry {
  readonly value?: string
  /** Of a value that the server did not tell: the entry that it told; null if there was none. */
  readonly was?: Entry | null
}

/**
 * Fills in one of one's own profile fields, or clears it with an empty value (specification, PATCH and DELETE
 * /users/me/profile_data). Of several waiting changes of a field, only the last is sent.
 */
export const setProfileField: OfflineAction<'set-profile-field'> = {
  isRepeatable: true,
  lane: ({ fieldId }) => `profile-field:${fieldId}`,
  isApplied: (db, { fieldId, value }, { ownUserId }) =>
    profileValue(db, ownUserId, fieldId) === profileValueText(value),
  apply(db, { fieldId, value }, { ownUserId }) {
    const text = profileValueText(value)
    // The same text stays, with what the server rendered it to.
    if (profileValue(db, ownUserId, fieldId) === text) return
    const entry: Entry | null = profileEntry(db, ownUserId, fieldId)
    // An event of the server replaces all of this. It sends none for the text that it has.
    const was = entry?.was === undefined ? entry : entry.was
    const isBack = (was?.value ?? '') === text
    setProfileValue(db, ownUserId, fieldId, isBack ? was : { value: text, was })
  },
  async send({ fieldId, value }, { connection, signal }) {
    if (value.length === 0)
      await connection.call(profileFields.clearOwnProfile, { data: [fieldId] }, { signal })
    else {
      const data = [{ id: fieldId, value: typeof value === 'string' ? value : [...value] }]
      await connection.call(profileFields.updateOwnProfile, { data }, { signal })
    }
    return null
  },
  join: (_earlier, later) => later,
}
