import type { Handlers } from '../../src-shared/api/index.ts'
import type { Database } from '../database.ts'
import { isBot } from '../permissions/roles.ts'
import { badRequest } from '../service-error.ts'
import type { UserRow } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

/** The limit for all names and texts of a bot together, in characters. */
const mostLetters = 10_000_000

export const botStorage: Pick<
  Handlers<HandlerContext>,
  'getBotStorage' | 'updateBotStorage' | 'removeBotStorage'
> = {
  getBotStorage: ({ keys }, { workspace: { db }, user }) => {
    assertBot(user)
    const rows = db.all<{ name: string; value: string }>(
      'SELECT name, value FROM bot_storage WHERE user_id = ? ORDER BY name',
      user.user_id,
    )
    const kept = new Map(rows.map(({ name, value }) => [name, value]))
    const wanted = (keys ?? [...kept.keys()]).map((name) => {
      const value = kept.get(name)
      if (value === undefined) throw noSuchKey()
      return [name, value] as const
    })
    return { storage: Object.fromEntries(wanted) }
  },

  updateBotStorage: ({ storage }, { workspace: { db }, user }) => {
    assertBot(user)
    db.transaction(() => {
      for (const [name, value] of Object.entries(storage))
        db.run('INSERT OR REPLACE INTO bot_storage VALUES (?, ?, ?)', user.user_id, name, value)
      const excess = lettersOf(db, user) - mostLetters
      if (excess > 0) {
        throw badRequest(
          `Request exceeds storage limit by ${excess} characters. The limit is ${mostLetters} characters.`,
        )
      }
    })
    return {}
  },

  removeBotStorage: ({ keys }, { workspace: { db }, user }) => {
    assertBot(user)
    db.transaction(() => {
      if (keys === undefined) db.run('DELETE FROM bot_storage WHERE user_id = ?', user.user_id)
      for (const name of new Set(keys)) {
        const { changes } = db.run(
          'DELETE FROM bot_storage WHERE user_id = ? AND name = ?',
          user.user_id,
          name,
        )
        if (changes === 0) throw noSuchKey()
      }
    })
    return {}
  },
}

function assertBot(user: UserRow): void {
  if (!isBot(user)) throw badRequest('Only bots keep something here.')
}

const noSuchKey = () => badRequest('Key does not exist.')

const lettersOf = (db: Database, { user_id }: UserRow): number =>
  db.get<{ letters: number }>(
    'SELECT coalesce(sum(length(name) + length(value)), 0) AS letters FROM bot_storage WHERE user_id = ?',
    user_id,
  )?.letters ?? 0
