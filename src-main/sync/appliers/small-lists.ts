import type { smallListEvents } from '../../../src-shared/api/small-lists.ts'
import type { EventPayload, ServerEventType } from '../../../src-shared/api/events.ts'
import type { Snapshot } from '../../../src-shared/api/snapshot.ts'
import type { WritableDb } from '../../store/database.ts'
import {
  object,
  patchObject,
  putObject,
  removeObject,
  replaceObjects,
  type ObjectKind,
} from '../../store/objects.ts'
import type { ApplyContext } from './context.ts'

type Appliers = {
  readonly [T in keyof typeof smallListEvents & ServerEventType]: (
    db: WritableDb,
    payload: EventPayload<T>,
    context: ApplyContext,
  ) => void
}

/** The appliers of the events in `smallListEvents`; the small lists are stored as the server gives them. */
export const smallListAppliers: Appliers = {
  saved_snippets: (db, payload, context) => {
    if (payload.op === 'remove') removeObject(db, 'saved-snippet', payload.saved_snippet_id)
    else putObject(db, 'saved-snippet', payload.saved_snippet.id, payload.saved_snippet)
    if (payload.op === 'add') context.objectMade(db, 'saved-snippet', payload.saved_snippet)
  },
  realm_linkifiers: (db, { realm_linkifiers }) => replaceOrdered(db, 'linkifier', realm_linkifiers),
  user_status: (db, { user_id, type: _type, id: _id, ...changes }) => {
    putStatus(db, user_id, { ...object(db, 'user-status', user_id), ...changes })
  },
  attachment: (db, payload) => {
    if (payload.op === 'remove') removeObject(db, 'attachment', payload.attachment.id)
    else putObject(db, 'attachment', payload.attachment.id, payload.attachment)
  },
  scheduled_messages: (db, payload, context) => {
    if (payload.op === 'remove') removeObject(db, 'scheduled-message', payload.scheduled_message_id)
    else {
      const changed = payload.op === 'add' ? payload.scheduled_messages : [payload.scheduled_message]
      for (const one of changed) {
        putObject(db, 'scheduled-message', one.scheduled_message_id, one)
        if (payload.op === 'add') context.objectMade(db, 'scheduled-message', one)
      }
    }
  },
  reminders: (db, payload, context) => {
    if (payload.op === 'remove') removeObject(db, 'reminder', payload.reminder_id)
    else
      for (const one of payload.reminders) {
        putObject(db, 'reminder', one.reminder_id, one)
        context.objectMade(db, 'reminder', one)
      }
  },
  custom_profile_fields: (db, { fields }) => replaceListed(db, 'profile-field', fields),
  realm_bot: (db, payload) => {
    const { user_id: id } = payload.bot
    if (payload.op === 'add') putObject(db, 'bot', id, withoutSecrets(payload.bot))
    else if (payload.op === 'update') patchObject(db, 'bot', id, withoutSecrets(payload.bot))
    else removeObject(db, 'bot', id)
  },
  alert_words: (db, { alert_words }) => replaceWords(db, alert_words),
  realm_playgrounds: (db, { realm_playgrounds }) => replaceOrdered(db, 'playground', realm_playgrounds),
}

/** Writes the snapshot's lists; lists that the server did not send stay as they are. */
export function writeSmallLists(db: WritableDb, snapshot: Snapshot): void {
  const {
    saved_snippets,
    realm_linkifiers,
    realm_playgrounds,
    user_status,
    alert_words,
    custom_profile_fields,
    realm_bots,
    scheduled_messages,
    reminders,
  } = snapshot
  if (saved_snippets !== undefined) replaceListed(db, 'saved-snippet', saved_snippets)
  if (realm_linkifiers !== undefined) replaceOrdered(db, 'linkifier', realm_linkifiers)
  if (realm_playgrounds !== undefined) replaceOrdered(db, 'playground', realm_playgrounds)
  if (custom_profile_fields !== undefined) replaceListed(db, 'profile-field', custom_profile_fields)
  if (realm_bots !== undefined)
    replaceObjects(
      db,
      'bot',
      realm_bots.map((bot) => ({ id: bot.user_id, body: withoutSecrets(bot) })),
    )
  if (alert_words !== undefined) replaceWords(db, alert_words)
  if (scheduled_messages !== undefined)
    replaceObjects(
      db,
      'scheduled-message',
      scheduled_messages.map((body) => ({ id: body.scheduled_message_id, body })),
    )
  if (reminders !== undefined)
    replaceObjects(
      db,
      'reminder',
      reminders.map((body) => ({ id: body.reminder_id, body })),
    )
  if (user_status !== undefined) {
    replaceObjects(db, 'user-status', [])
    for (const [id, status] of Object.entries(user_status)) putStatus(db, id, status)
  }
}

/** A bot without its keys: they are fetched where they are shown and never stored. */
function withoutSecrets(bot: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { api_key: _key, services: _services, ...rest } = bot
  return rest
}

/** Stores a status without its cleared fields, as in the snapshot; removes a status that is all cleared. */
function putStatus(db: WritableDb, userId: number | string, status: Readonly<Record<string, unknown>>): void {
  const set = Object.entries(status).filter(([, value]) => value !== '' && value !== false)
  if (set.length === 0) removeObject(db, 'user-status', userId)
  else putObject(db, 'user-status', userId, Object.fromEntries(set))
}

function replaceWords(db: WritableDb, words: readonly string[]): void {
  replaceObjects(
    db,
    'alert-word',
    words.map((word) => ({ id: word, body: { word } })),
  )
}

function replaceListed(db: WritableDb, kind: ObjectKind, list: readonly { readonly id: number }[]): void {
  replaceObjects(
    db,
    kind,
    list.map((body) => ({ id: body.id, body })),
  )
}

/** Makes these the only objects of their kind, each with its place in the server's order. */
function replaceOrdered(db: WritableDb, kind: ObjectKind, list: readonly { readonly id: number }[]): void {
  replaceObjects(
    db,
    kind,
    list.map((body, position) => ({ id: body.id, body: { ...body, position } })),
  )
}

/** The event types that a registration requests for `writeSmallLists`. */
export const smallListTypes = [
  'saved_snippets',
  'realm_linkifiers',
  'realm_playgrounds',
  'user_status',
  'alert_words',
  'scheduled_messages',
  'reminders',
  'custom_profile_fields',
  'realm_bot',
] as const
