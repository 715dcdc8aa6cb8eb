import type { InboxRow } from '../../src-shared/model/conversation-lists.ts'
import { userId } from '../../src-shared/ids.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { settingValue } from '../store/account-settings.ts'
import type { ReadableDb } from '../store/database.ts'
import { closedTextFromHtml } from '../store/html-text.ts'
import { beginningOf } from './excerpt.ts'
import { mutedIds } from './senders.ts'

const excerptLength = 160

/** The fields of a row that come from the newest messages of its conversation. */
export type Newest = Pick<InboxRow, 'newestAt' | 'newestSender' | 'newestText' | 'people'>
type Person = Newest['people'][number]

/** What the newest messages of some conversations say, by the number of the conversation. */
export interface NewestLookup {
  of(conversation: number): Newest
  /** How many people wrote the newest 30 messages on this device. */
  peopleCountOf(conversation: number): number
}

/** What the messages themselves say. The names and pictures of people change without them, and are read each time. */
interface FromMessages {
  /** The newest message, its last edit, the earlier ones here and the clock: if these are the same, so is the rest. */
  readonly stamp: string
  readonly sentAt: number
  readonly text: string
  /** Of the newest messages, newest first: the first one sent the newest message. */
  readonly senders: readonly Sender[]
  /** Null until somebody asked: it needs more messages than `senders`, and only some lists show it. */
  peopleCount: number | null
}

/** A person with the name at the time of the message, for those who are not known otherwise. */
interface Sender {
  readonly id: number
  readonly name: string
}

// Lists of conversations run again after every message, although only one of their hundreds of rows has changed.
// Extracting the text of the others again was most of their time.
const remembered = new WeakMap<ReadableDb, Map<number, FromMessages>>()
const mostRemembered = 800
/** Longer messages are cut before their text is extracted, because only the beginning is shown. */
const htmlLooked = 4_000

interface NewestRow {
  readonly conversation_id: number
  readonly message_id: number
  readonly sent_at: number
  readonly edited_at: number | null
}

const columns = 'conversation_id, message_id, sent_at, edited_at'

/**
 * The newest message of each of these conversations, and up to four recent senders, newest first. The newest messages
 * of all conversations are read in one query.
 */
export function newestLookup(
  db: ReadableDb,
  conversations: readonly { readonly conversation_id: number; readonly newest_message_id: number }[],
): NewestLookup {
  const rows = db.all<NewestRow>(
    `SELECT ${columns} FROM messages WHERE message_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(conversations.map(({ newest_message_id }) => newest_message_id))],
  )
  const byConversation = new Map(rows.map((row) => [row.conversation_id, row]))
  const here = stretchesHere(
    db,
    conversations.map(({ conversation_id }) => conversation_id),
  )
  // Times are written by this clock, and times, polls and lists in this language.
  const clock = `${t.locale}:${settingValue(db, 'twentyFourHourTime')}`
  const known = new Map(
    conversations.map(({ conversation_id: id }) => [
      id,
      fromMessages(db, byConversation.get(id) ?? newestHere(db, id), `${here.get(id) ?? ''}:${clock}`),
    ]),
  )
  const person = peopleNow(db, known.values())
  const muted = mutedIds(db)
  return {
    of(id) {
      const from = known.get(id)
      if (from == null) return { newestAt: 0, newestSender: '', newestText: '', people: [] }
      const people = from.senders.map(person)
      const [sender] = people
      const isHidden = sender !== undefined && muted.has(sender.userId)
      return {
        newestAt: from.sentAt,
        newestSender: isHidden ? '' : (sender?.name ?? ''),
        newestText: isHidden ? t.feed.message.muted : from.text,
        people,
      }
    },
    peopleCountOf(id) {
      const from = known.get(id)
      return from == null ? 0 : (from.peopleCount ??= countPeople(db, id))
    },
  }
}

/** The names and pictures that these people have now. */
function peopleNow(db: ReadableDb, all: Iterable<FromMessages | null>): (sender: Sender) => Person {
  const ids = new Set<number>()
  for (const from of all) for (const { id } of from?.senders ?? []) ids.add(id)
  const known = db.rememberedById(
    'names-and-pictures',
    [...ids],
    (unknown) =>
      new Map(
        db
          .all<{ user_id: number; full_name: string; avatar_url: string | null }>(
            `SELECT user_id, full_name, avatar_url
             FROM json_each(?) wanted CROSS JOIN users ON user_id = wanted.value`,
            [JSON.stringify(unknown)],
          )
          .map((row): [number, Person] => [
            row.user_id,
            { userId: userId(row.user_id), name: row.full_name, avatarUrl: row.avatar_url },
          ]),
      ),
  )
  return ({ id, name }) => known(id) ?? { userId: userId(id), name, avatarUrl: null }
}

/** A fingerprint of the newest messages, whose senders are read: older history may arrive later, and topics move. */
function stretchesHere(db: ReadableDb, conversations: readonly number[]): ReadonlyMap<number, string> {
  const rows = db.all<{ id: number; here: string }>(
    `SELECT value AS id, (
       SELECT count(*) || ':' || coalesce(sum(message_id), '')
       FROM (SELECT message_id FROM messages WHERE conversation_id = value ORDER BY message_id DESC LIMIT ${mostLooked})
     ) AS here FROM json_each(?)`,
    [JSON.stringify(conversations)],
  )
  return new Map(rows.map(({ id, here }) => [id, here]))
}

/** The newest message whose text is here, for a conversation whose newest message is known only by its id. */
const newestHere = (db: ReadableDb, conversation: number): NewestRow | undefined =>
  db.get<NewestRow>(
    `SELECT ${columns} FROM messages WHERE conversation_id = ? ORDER BY message_id DESC LIMIT 1`,
    [conversation],
  )

function fromMessages(db: ReadableDb, message: NewestRow | undefined, basis: string): FromMessages | null {
  if (message === undefined) return null
  const { conversation_id: conversation } = message
  let all = remembered.get(db)
  if (all === undefined || all.size > mostRemembered) remembered.set(db, (all = new Map()))
  const stamp = `${message.message_id}:${message.edited_at ?? ''}:${basis}`
  const before = all.get(conversation)
  if (before?.stamp === stamp) return before
  const html =
    db.get<{ content_html: string }>('SELECT content_html FROM messages WHERE message_id = ?', [
      message.message_id,
    ])?.content_html ?? ''
  const from: FromMessages = {
    stamp,
    sentAt: message.sent_at,
    text: beginningOf(closedTextFromHtml(db, html.slice(0, htmlLooked)), excerptLength),
    senders: sendersIn(db, conversation),
    peopleCount: null,
  }
  all.set(conversation, from)
  return from
}

const mostPeople = 4
/** The first few messages usually name enough people, and each message costs another page of the file. */
const looked = [6, 24] as const
const mostLooked = looked[0] + looked[1]

/** The senders of the newest messages of a conversation, newest first. */
function sendersIn(db: ReadableDb, conversation: number): Sender[] {
  const names = new Map<number, string>()
  let before = Number.MAX_SAFE_INTEGER
  for (const limit of looked) {
    const rows = db.all<{ message_id: number; sender_id: number; sender_name: string }>(
      `SELECT message_id, sender_id, sender_name FROM messages WHERE conversation_id = ? AND message_id < ?
       ORDER BY message_id DESC LIMIT ?`,
      [conversation, before, limit],
    )
    for (const { sender_id, sender_name } of rows) {
      if (!names.has(sender_id)) names.set(sender_id, sender_name)
    }
    before = rows.at(-1)?.message_id ?? 0
    if (names.size >= mostPeople || rows.length < limit) break
  }
  return [...names].slice(0, mostPeople).map(([id, name]) => ({ id, name }))
}

const countPeople = (db: ReadableDb, conversation: number): number =>
  db.get<{ n: number }>(
    `SELECT count(DISTINCT sender_id) AS n FROM
       (SELECT sender_id FROM messages WHERE conversation_id = ? ORDER BY message_id DESC LIMIT ${mostLooked})`,
    [conversation],
  )?.n ?? 0
