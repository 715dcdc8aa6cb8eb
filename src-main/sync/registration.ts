import { minuteMs } from '../../src-shared/durations.ts'
import { drafts as draftEndpoints, mostDraftsInState, type ApiDraft } from '../../src-shared/api/drafts.ts'
import { queue } from '../../src-shared/api/queue.ts'
import type { UnreadablePart } from '../../src-shared/api/lenient.ts'
import { session } from '../../src-shared/api/session.ts'
import { FailureError, failureOf, isTransient } from '../../src-shared/failure.ts'
import type { UserId } from '../../src-shared/ids.ts'
import { isAble, oldestLevel } from '../../src-shared/model/server-abilities.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Connection } from '../api/connection.ts'
import { readCursor } from '../store/cursor.ts'
import type { Store } from '../store/database.ts'
import type { ServerTime } from './server-time.ts'
import { smallListTypes } from './appliers/small-lists.ts'
import { unreadableRows, writeSnapshot } from './snapshot.ts'

/** A snapshot of a large organization takes long. */
const registerTimeoutMs = 2 * minuteMs

const capabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  // Otherwise a server leaves out the pictures of people who were long away.
  user_avatar_url_field_optional: false,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  simplified_presence_events: true,
} as const

const fetchedTypes = [
  'realm',
  'realm_user',
  'realm_emoji',
  'subscription',
  'stream',
  'channel_folders',
  'default_streams',
  'realm_user_groups',
  'user_group',
  'user_topic',
  'user_settings',
  'muted_users',
  'presence',
  'drafts',
  'message',
  'update_message_flags',
  'starred_messages',
  'recent_private_conversations',
  ...smallListTypes,
]

/**
 * Registers an event queue and writes its snapshot (specification, POST /register). Rejects with a `FailureError`; of
 * kind malformed if this app cannot work with the server.
 */
export async function register(parts: {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly ownUserId: UserId
  readonly serverTime: ServerTime
  /** Last in each transaction: reapplies the local effects of waiting changes. */
  reapply(): void
  /**
   * Runs in the snapshot's last transaction, with the drafts on the server; null if it keeps none. `mayBeThere` tells
   * whether another draft may have been in the snapshot in an unreadable form.
   */
  finish(drafts: readonly ApiDraft[] | null, mayBeThere: (serverId: number) => boolean): void
}): Promise<void> {
  const { store, connection, signal } = parts
  const before = readCursor(store.db)
  // The feature level comes first: a server refuses a request with a parameter value that it does not know.
  const known = before.generation > 0 ? before.featureLevel : null
  const level = known ?? (await askLevel(connection, signal))
  if (signal.aborted) return
  let unreadable: readonly UnreadablePart[] = []
  const ask = (ofLevel: number) =>
    connection.call(
      queue.registerQueue,
      {
        apply_markdown: true,
        client_gravatar: false,
        include_subscribers: isAble(ofLevel, 'partialSubscribers') ? 'partial' : 'true',
        slim_presence: true,
        client_capabilities: capabilities,
        // A server without topic visibility reports muted topics in events of this type.
        fetch_event_types: isAble(ofLevel, 'topicVisibility')
          ? fetchedTypes
          : [...fetchedTypes, 'muted_topics'],
      },
      // One broken row must not keep a person from all the others.
      { signal, timeoutMs: registerTimeoutMs, setAside: (taken) => (unreadable = taken) },
    )
  const snapshot = await ask(level).catch(async (error: unknown) => {
    // The server may be older than at the last registration.
    if (known === null || failureOf(error).kind !== 'rejected') throw error
    const today = await askLevel(connection, signal)
    if (today === known || signal.aborted) throw error
    return ask(today)
  })
  if (signal.aborted) return
  assertSupported(snapshot.service_feature_level)
  if (snapshot.queue_id === null) {
    throw new FailureError({ kind: 'malformed', message: t.failures.server.noQueue })
  }
  const lostDrafts = unreadableRows(unreadable, ['drafts'], 'id')
  const otherDrafts = await draftsBeyond(snapshot.drafts ?? [], connection, signal)
  if (signal.aborted) return
  await writeSnapshot({
    ...parts,
    snapshot,
    unreadable,
    before,
    finish: () =>
      parts.finish(
        snapshot.drafts?.concat(otherDrafts ?? []) ?? (lostDrafts.isAny ? [] : null),
        (serverId) => otherDrafts === null || lostDrafts.isAny || lostDrafts.ids.has(serverId),
      ),
  })
}

/**
 * The drafts for which the answer to a registration had no room; null if that is not known. What was in the answer
 * counts as it was there, because the queue's events follow upon it.
 */
async function draftsBeyond(
  seen: readonly ApiDraft[],
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly ApiDraft[] | null> {
  if (seen.length < mostDraftsInState) return []
  try {
    const { drafts } = await connection.call(draftEndpoints.getDrafts, {}, { signal })
    // Not all of them either.
    if (drafts.length === mostDraftsInState) return null
    const ids = new Set(seen.map(({ id }) => id))
    return drafts.filter(({ id }) => !ids.has(id))
  } catch (error) {
    if (!isTransient(failureOf(error))) return null
    throw error
  }
}

async function askLevel(connection: Connection, signal: AbortSignal): Promise<number> {
  try {
    const settings = await connection.call(session.getServerSettings, {}, { signal })
    assertSupported(settings.service_feature_level ?? 0)
    return settings.service_feature_level ?? 0
  } catch (error) {
    // This request may be blocked on the way; the registration itself tells more.
    if (failureOf(error).kind === 'rejected') return 0
    throw error
  }
}

function assertSupported(featureLevel: number): void {
  if (featureLevel >= oldestLevel) return
  throw new FailureError({
    kind: 'malformed',
    message: t.failures.server.noVersion,
  })
}
