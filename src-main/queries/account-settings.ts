import type { AccountSettings } from '../../src-shared/bridge/queries.ts'
import type { SettingChange, SettingsState } from '../../src-shared/bridge/settings.ts'
import { groupId } from '../../src-shared/ids.ts'
import { abilitiesAt, missingValuesAt } from '../../src-shared/model/server-abilities.ts'
import { alertWords } from '../store/alert-words.ts'
import { knownLevel } from '../store/cursor.ts'
import { mostLetters } from '../store/as-kept.ts'
import { settingsMissing, settingValues } from '../store/account-settings.ts'
import { addressesOf, fullNameOf } from '../store/users.ts'
import { outboxRows } from '../store/outbox.ts'
import { organizationNumber, organizationText } from '../store/organization.ts'
import type { QueryContext } from './context.ts'
import { emptyTopicName, personById } from './labels.ts'
import { playgrounds } from './lists.ts'
import { sendStateOf } from './send-state.ts'

/** The settings that screens depend on; where the server sent none, the specification's defaults. */
export function accountSettings(context: QueryContext): AccountSettings {
  const { db, ownUserId } = context
  return {
    ...settingValues(db),
    maxMessageLength: mostLetters(db),
    maxTopicLength: organizationNumber(db, 'max_topic_length') ?? 60,
    emptyTopicName: emptyTopicName(db),
    ownUserId,
    ownFullName: fullNameOf(db, ownUserId) ?? '',
    ownAvatarUrl:
      db.get<{ avatar_url: string | null }>('SELECT avatar_url FROM users WHERE user_id = ?', [ownUserId])
        ?.avatar_url ?? null,
    hasOwnPicture: organizationText(db, 'avatar_source') !== 'G',
    ownEmail: addressesOf(db, ownUserId)?.deliveryEmail ?? null,
    ownStatus: personById(context, ownUserId).status,
    alertWords: alertWords(db),
    playgrounds: playgrounds(db),
    ownGroupIds: db.column<number>('SELECT group_id FROM own_groups ORDER BY group_id').map(groupId),
    abilities: abilitiesAt(knownLevel(db)),
  }
}

/** All settings, those that the server does not support, and the state of the latest changes. */
export function settings({ db }: QueryContext): SettingsState {
  const changes = outboxRows(db, 1_000).flatMap((row): SettingChange[] =>
    row.action?.name === 'update-setting' && row.state !== 'accepted'
      ? [{ localId: row.localId, name: row.action.property, state: sendStateOf(row, false) }]
      : [],
  )
  const missingValues = missingValuesAt(knownLevel(db))
  return { values: settingValues(db), missing: settingsMissing(db), missingValues, changes }
}
