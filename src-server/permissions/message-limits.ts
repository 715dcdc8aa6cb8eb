import type { Database } from '../database.ts'
import { realmValue } from '../workspace.ts'

/** The organization's time limits for changing a message after it was sent; in seconds, null for no limit. */
export interface MessageLimits {
  readonly allow_message_editing: boolean
  readonly message_content_edit_limit_seconds: number | null
  readonly message_content_delete_limit_seconds: number | null
  readonly move_messages_within_stream_limit_seconds: number | null
  readonly move_messages_between_streams_limit_seconds: number | null
  /** `all`, `moves` or `none`. */
  readonly message_edit_history_visibility_policy: string
  readonly enable_read_receipts: boolean
}

/** The limits of this organization (specification, POST /register: what the organization reports). */
export function messageLimits(db: Database): MessageLimits {
  const seconds = (name: string) => {
    const value = realmValue(db, name)
    return value === '' ? null : Number(value)
  }
  return {
    allow_message_editing: realmValue(db, 'allow_message_editing') === 'true',
    message_content_edit_limit_seconds: seconds('message_content_edit_limit_seconds'),
    message_content_delete_limit_seconds: seconds('message_content_delete_limit_seconds'),
    move_messages_within_stream_limit_seconds: seconds('move_messages_within_stream_limit_seconds'),
    move_messages_between_streams_limit_seconds: seconds('move_messages_between_streams_limit_seconds'),
    message_edit_history_visibility_policy: realmValue(db, 'message_edit_history_visibility_policy'),
    enable_read_receipts: realmValue(db, 'enable_read_receipts') === 'true',
  }
}

/** The same, as keys of the answer to a registration. */
export const messageLimitsState = (db: Database): Record<string, unknown> =>
  Object.fromEntries(Object.entries(messageLimits(db)).map(([name, value]) => [`realm_${name}`, value]))
