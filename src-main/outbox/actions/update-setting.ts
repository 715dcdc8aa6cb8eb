import { settings } from '../../../src-shared/api/settings.ts'
import { putSettingValue, settingOnWire, settingValue } from '../../store/account-settings.ts'
import { knownLevel } from '../../store/cursor.ts'
import type { OfflineAction } from '../offline-action.ts'

/**
 * Changes a setting of the account (specification, PATCH /settings). Of several waiting changes, only the last is sent.
 */
export const updateSetting: OfflineAction<'update-setting'> = {
  isRepeatable: true,
  lane: ({ property }) => `setting:${property}`,
  isApplied: (db, { property, value }) => settingValue(db, property) === value,
  apply: (db, { property, value }) => putSettingValue(db, property, value),
  async send(action, { connection, signal, db }) {
    const { property, wireValue } = settingOnWire(action.property, action.value, knownLevel(db))
    await connection.call(settings.updateSettings, { [property]: wireValue }, { signal })
    return null
  },
  join: (_earlier, later) => later,
}
