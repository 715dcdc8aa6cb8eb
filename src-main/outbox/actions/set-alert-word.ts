import { alertWords } from '../../../src-shared/api/alert-words.ts'
import { alertWordKey, hasAlertWord, setAlertWordHere } from '../../store/alert-words.ts'
import type { OfflineAction } from '../offline-action.ts'

/** Adds or removes an alert word (specification, POST and DELETE /users/me/alert_words). */
export const setAlertWord: OfflineAction<'set-alert-word'> = {
  isRepeatable: true,
  lane: ({ word }) => `alert-word:${alertWordKey(word)}`,
  mayCancel: true,
  isApplied: (db, { word, on }) => hasAlertWord(db, word) === on,
  apply: (db, { word, on }) => setAlertWordHere(db, word, on),
  async send({ word, on }, { connection, signal }) {
    const endpoint = on ? alertWords.addAlertWords : alertWords.removeAlertWords
    await connection.call(endpoint, { alert_words: [word] }, { signal })
    return null
  },
  // Removing and adding do not cancel each other: the added word may have another spelling.
  join: (earlier, later) => (earlier.on === later.on ? later : later.on ? undefined : null),
}
