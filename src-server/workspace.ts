import type { Alarm } from '../src-shared/clock/alarm.ts'
import type { Clock } from '../src-shared/clock/clock.ts'
import type { Configuration } from './configuration.ts'
import type { Database } from './database.ts'
import type { EventQueues, NewEvent } from './events/event-queues.ts'
import type { ExportThread } from './exports/export-thread.ts'
import type { Thumbnails } from './files/thumbnails.ts'
import type { LoginAttempts } from './rate-limits.ts'

/** A person or bot. */
export interface UserRow {
  readonly user_id: number
  readonly email: string
  readonly delivery_email: string
  readonly full_name: string
  readonly role: number
  readonly is_active: number
  readonly bot_type: number | null
  readonly bot_owner_id: number | null
  readonly api_key: string
  readonly password_hash: string | null
  readonly timezone: string
  readonly avatar_version: number
  /** Null: a drawn picture. */
  readonly avatar_file: string | null
  readonly avatar_type: string | null
  /** JSON by field id. */
  readonly profile_data: string
  readonly date_joined: number
}

/** A row of the table of channels; flags are 0 or 1, times epoch seconds. */
export interface ChannelRow {
  readonly channel_id: number
  readonly name: string
  readonly description: string
  readonly is_private: number
  readonly is_web_public: number
  readonly is_archived: number
  readonly has_shared_history: number
  readonly is_default: number
  readonly topics_policy: string
  readonly folder_id: number | null
  readonly creator_id: number | null
  readonly date_created: number
  /** Days; null: the organization's default; -1: for ever. */
  readonly message_retention_days: number | null
}

/** What a workspace is created with. */
export interface WorkspaceParts {
  readonly database: Database
  readonly clock: Clock
  /** How many requests per minute one person may make; null for no limit. */
  readonly rateLimit: number | null
  /** The feature level that clients are told; see the specification, Versioning. */
  readonly featureLevel: number
  /** Whether every answer is validated against its schema before it is sent; tests do this, at a cost. */
  readonly checksAnswers?: boolean
  readonly configuration: Configuration
  log(line: string): void
}

/** One organization: its file, its event queues, its clock. Handlers, the demo and the webhooks share it. */
export interface Workspace extends WorkspaceParts {
  readonly db: Database
  readonly queues: EventQueues
  readonly logins: LoginAttempts
  /** Rings when something new may be due. */
  readonly alarm: Alarm
  readonly thumbnails: Thumbnails
  readonly exports: ExportThread
  /** Rings when an outgoing webhook may be due. */
  readonly webhooks: Alarm
  /** The service's address for clients, without the API prefix; known once it listens. */
  url: string
  /** UNIX seconds. */
  now(): number
  /** Puts an event into the queues of these people (everybody if null). */
  publish(userIds: Iterable<number> | null, event: NewEvent): void
}

/** The organization's values, such as its name, with the defaults of a new one. */
export function realmValue(db: Database, name: string): string {
  return (
    db.get<{ value: string }>('SELECT value FROM realm WHERE name = ?', name)?.value ??
    realmDefaults[name] ??
    ''
  )
}

/** Whether the organization is deactivated: nobody can sign in any more. */
export const isDeactivated = (db: Database): boolean => realmValue(db, 'is_deactivated') === 'true'

/** Whether people without an account may read web-public channels. */
export const allowsSpectators = (db: Database): boolean =>
  realmValue(db, 'enable_spectator_access') === 'true' && !isDeactivated(db)

const realmDefaults: Readonly<Record<string, string>> = {
  name: 'Local workspace',
  description: '',
  empty_topic_display_name: 'general chat',
  /** Whether people without an account may read web-public channels. */
  enable_spectator_access: 'false',
  /** Whether only addresses of the organization's domains may join. */
  emails_restricted_to_domains: 'false',
  // Whether only administrators may change their own name, address and picture.
  name_changes_disabled: 'false',
  email_changes_disabled: 'false',
  avatar_changes_disabled: 'false',
  // How messages may be changed after they were sent; an empty limit means no limit.
  allow_message_editing: 'true',
  message_content_edit_limit_seconds: '600',
  message_content_delete_limit_seconds: '600',
  move_messages_within_stream_limit_seconds: '604800',
  move_messages_between_streams_limit_seconds: '604800',
  message_edit_history_visibility_policy: 'all',
  enable_read_receipts: 'true',
  topics_policy: 'allow_empty_topic',
  /** The channel that receives reports of messages; -1: there is none. */
  moderation_request_channel_id: '-1',
  /** What the welcome bot writes to new people; empty: nothing. */
  welcome_message_custom_text: '',
}

/** The person or bot with this id, also if deactivated. */
export function userById(db: Database, id: number): UserRow | undefined {
  return db.get<UserRow>('SELECT * FROM users WHERE user_id = ?', id)
}

/** The channel with this id, also if archived. */
export function channelById(db: Database, id: number): ChannelRow | undefined {
  return db.get<ChannelRow>('SELECT * FROM channels WHERE channel_id = ?', id)
}

/** Everybody subscribed to a channel. */
export function subscribersOf(db: Database, channelId: number): number[] {
  return db.column<number>(
    `SELECT s.user_id FROM subscriptions s JOIN users u USING (user_id)
     WHERE s.channel_id = ? AND s.is_active = 1 AND u.is_active = 1`,
    channelId,
  )
}
