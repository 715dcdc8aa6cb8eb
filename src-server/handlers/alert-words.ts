import type { Handlers } from '../../src-shared/api/index.ts'
import { alertWordsOf } from '../people/alert-words.ts'
import { badRequest } from '../service-error.ts'
import type { UserRow, Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const longestWord = 100

export const alertWords: Pick<
  Handlers<HandlerContext>,
  'getAlertWords' | 'addAlertWords' | 'removeAlertWords'
> = {
  getAlertWords: (_input, { workspace, user }) => ({ alert_words: alertWordsOf(workspace.db, user.user_id) }),
  addAlertWords: ({ alert_words }, { workspace, user }) => {
    const words = cleaned(alert_words)
    const { db } = workspace
    const changes = db.transaction(() =>
      words.map((word) =>
        db.run(
          'INSERT OR IGNORE INTO alert_words (user_id, word, word_key) VALUES (?, ?, ?)',
          user.user_id,
          word,
          word.toLowerCase(),
        ),
      ),
    )
    return published(workspace, user, changes)
  },
  removeAlertWords: ({ alert_words }, { workspace, user }) => {
    const words = cleaned(alert_words)
    const { db } = workspace
    const changes = db.transaction(() =>
      words.map((word) =>
        db.run(
          'DELETE FROM alert_words WHERE user_id = ? AND word_key = ?',
          user.user_id,
          word.toLowerCase(),
        ),
      ),
    )
    return published(workspace, user, changes)
  },
}

function cleaned(words: readonly string[]): string[] {
  return words
    .map((word) => {
      const trimmed = word.trim()
      if ([...trimmed].length > longestWord)
        throw badRequest(`An alert word may have ${longestWord} characters at most.`)
      return trimmed
    })
    .filter((word) => word !== '')
}

function published(
  workspace: Workspace,
  user: UserRow,
  changes: readonly { changes: number }[],
): { alert_words: string[] } {
  const all = { alert_words: alertWordsOf(workspace.db, user.user_id) }
  if (changes.some((one) => one.changes > 0))
    workspace.publish([user.user_id], { type: 'alert_words', ...all })
  return all
}
