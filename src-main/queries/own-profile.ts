import { roles } from '../../src-shared/roles.ts'
import { userId } from '../../src-shared/ids.ts'
import type { OwnProfileField } from '../../src-shared/model/profile.ts'
import { objectsOf } from '../store/objects.ts'
import { ownHolder } from '../store/permissions.ts'
import { fieldKind } from '../store/profile-fields.ts'
import { profileValue } from '../store/users.ts'
import type { QueryContext } from './context.ts'
import { userName } from './labels.ts'
import { waiting } from './own-lists.ts'
import { fieldChoices, fieldData, idsFromJson } from './profile.ts'

/** The organization's profile fields in its order, each with what the person said of themselves. */
export function ownProfile({ db, ownUserId }: QueryContext): OwnProfileField[] {
  const isAdministrator = ownHolder(db, ownUserId).role <= roles.administrator
  const changing = waiting(db, 'set-profile-field', ({ fieldId }) => String(fieldId))
  return objectsOf(db, 'profile-field')
    .sort((a, b) => Number(a['order']) - Number(b['order']))
    .flatMap((field): OwnProfileField[] => {
      const { id, name, hint } = field
      if (typeof id !== 'number' || typeof name !== 'string') return []
      const kind = fieldKind(field['type'])
      const value = profileValue(db, ownUserId, id)
      return [
        {
          fieldId: id,
          name,
          hint: typeof hint === 'string' ? hint : '',
          kind,
          value,
          choices: kind === 'choice' ? fieldChoices(fieldData(field['field_data'])) : [],
          people:
            kind === 'people'
              ? idsFromJson(value).map((one) => ({ userId: userId(one), name: userName(db, one) }))
              : [],
          isRequired: field['required'] === true,
          mayChange: isAdministrator || field['editable_by_user'] !== false,
          isWaiting: changing.has(String(id)),
        },
      ]
    })
}
