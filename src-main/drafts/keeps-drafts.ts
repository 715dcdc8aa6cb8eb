import { isAble } from '../../src-shared/model/server-abilities.ts'
import { settingValue } from '../store/account-settings.ts'
import { readCursor } from '../store/cursor.ts'
import type { ReadableDb } from '../store/database.ts'

/**
 * Whether the server supports drafts and the person has draft sync switched on. Cached, because each keystroke asks.
 */
export const keepsDrafts = (db: ReadableDb): boolean =>
  db.remembered(
    'keepsDrafts',
    () => isAble(readCursor(db).featureLevel, 'drafts') && settingValue(db, 'draftsSynchronized'),
  )
