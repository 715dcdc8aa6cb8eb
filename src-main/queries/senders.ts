import type { PersonStatus } from '../../src-shared/model/profile.ts'
import type { ReadableDb } from '../store/database.ts'
import type { QueryContext } from './context.ts'
import { isMarkedAsGuest, statusColumn, statusFromBody } from './labels.ts'

/** What is shown of a message's sender. */
export interface Sender {
  readonly senderName: string
  readonly senderAvatarUrl: string | null
  readonly senderIsBot: boolean
  readonly senderIsGuest: boolean
  readonly senderStatus: PersonStatus | null
  readonly senderIsMuted: boolean
}

interface SenderRow {
  readonly user_id: number
  readonly full_name: string
  readonly avatar_url: string | null
  readonly is_bot: number
  readonly role: number
  readonly status: string | null
}

/** The ids of the people whom the person muted. */
export const mutedIds = (db: ReadableDb): ReadonlySet<number> =>
  db.remembered('muted-people', () => new Set(db.column<number>('SELECT user_id FROM muted_users')))

/** Looks up the senders of messages, each once: few people write most of a window, and of the next one. */
export function sendersOf(
  { db }: QueryContext,
  messages: readonly { readonly sender_id: number }[],
): (message: { readonly sender_id: number; readonly sender_name: string }) => Sender {
  const ids = [...new Set(messages.map(({ sender_id }) => sender_id))]
  const known = db.rememberedById(
    'senders',
    ids,
    (unknown) =>
      new Map(
        db
          .all<SenderRow>(
            `SELECT user_id, full_name, avatar_url, is_bot, role, ${statusColumn('user_id')}
             FROM json_each(?) wanted CROSS JOIN users ON user_id = wanted.value`,
            [JSON.stringify(unknown)],
          )
          .map((row) => [row.user_id, { ...row, status: statusFromBody(db, row.status) }]),
      ),
  )
  const muted = mutedIds(db)
  return ({ sender_id, sender_name }) => {
    const user = known(sender_id)
    return {
      senderName: user?.full_name ?? sender_name,
      senderAvatarUrl: user?.avatar_url ?? null,
      senderIsBot: user?.is_bot === 1,
      senderIsGuest: user !== undefined && isMarkedAsGuest(db, user.role),
      senderStatus: user?.status ?? null,
      senderIsMuted: muted.has(sender_id),
    }
  }
}
