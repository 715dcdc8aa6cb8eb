import { settings } from '../../../src-shared/api/settings.ts'
import { putAccountSetting } from '../../store/settings.ts'
import type { OfflineAction } from '../offline-action.ts'

/** One setting that follows the account (specification, PATCH /settings). */
export const updateSetting: OfflineAction<'update-setting'> = {
  isRepeatable: true,
  lane: ({ property }) => `setting:${property}`,
  conversation: () => null,
  apply: (db, { property, value }) => putAccountSetting(db, property, value),
  async send({ property, value }, { connection, signal }) {
    await connection.call(settings.updateSettings, { [property]: value }, { signal })
    return null
  },
  concerns: () => [],
  join: (_earlier, later) => later,
}
