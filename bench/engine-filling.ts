import Sqlite from 'better-sqlite3'
import { openStore, type Store } from '../src-main/store/database.ts'
import { putMessage, type MessageFields } from '../src-main/store/messages.ts'
import { createWordsUpkeep } from '../src-main/store/words-upkeep.ts'
import { wordsFromHtml } from '../src-main/store/html-text.ts'
import { conversationKey } from '../src-shared/model/conversation.ts'
import { timed } from './measure.ts'

const perWrite = 1_000
/** Lets SQLite merge the word index's segments itself. */
export const sqliteMerges = `
  INSERT INTO message_words (message_words, rank) VALUES ('automerge', 4);
  INSERT INTO message_words (message_words, rank) VALUES ('crisismerge', 16);
`

/**
 * Fills a new file with the engine's own functions; returns milliseconds per thousand messages. The word index's
 * segments are merged along the way, as the engine does between two commits.
 */
export function fill(store: Store, path: string, messages: Iterable<MessageFields>): number[] {
  const times: number[] = []
  const upkeepFile = new Sqlite(path)
  upkeepFile.pragma('synchronous = NORMAL')
  const upkeep = createWordsUpkeep(upkeepFile, (error) => {
    throw error
  })
  let batch: MessageFields[] = []
  const flush = () => {
    times.push(
      timed(() => {
        store.write((db) => batch.forEach((message) => putMessage(db, message, 1)))
        while (upkeep.join());
      }),
    )
    batch = []
  }
  for (const message of messages) {
    batch.push(message)
    if (batch.length === perWrite) flush()
  }
  if (batch.length > 0) flush()
  upkeep.close()
  upkeepFile.close()
  return times
}

/**
 * Gathers the vocabulary of a file that nothing has open, as the engine does in spare moments; returns the
 * milliseconds of each step.
 */
export function gather(path: string): number[] {
  const file = new Sqlite(path)
  file.pragma('synchronous = NORMAL')
  const upkeep = createWordsUpkeep(file, (error) => {
    throw error
  })
  const times: number[] = []
  for (let isLeft = true; isLeft;) times.push(timed(() => (isLeft = upkeep.join() || upkeep.gather())))
  upkeep.close()
  file.close()
  return times
}

/** Writes the same rows, index entries and counters by hand, without any query that can be avoided. */
export interface HandWriter {
  /** One transaction. */
  write(messages: readonly MessageFields[]): void
  close(): void
}

/** Creates the file. */
export function handWriter(path: string): HandWriter {
  // The engine creates the empty file, so that both have the same tables.
  openStore(path, () => {}).close()
  const sqlite = new Sqlite(path)
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = NORMAL')
  // Nothing waits for a commit here, so SQLite merges the segments within commits, as it does by default.
  sqlite.exec(sqliteMerges)
  const conversation = sqlite.prepare(
    'INSERT INTO conversations (key, kind, channel_id, topic, user_ids) VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING',
  )
  const idOf = sqlite.prepare('SELECT conversation_id FROM conversations WHERE key = ?').pluck()
  const row = sqlite.prepare(
    `INSERT INTO messages (message_id, conversation_id, channel_id, sender_id, sender_name, sent_at, content_html,
       is_me_message, is_starred, is_mentioned, generation, unused_is_read)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, 1, 0)`,
  )
  const words = sqlite.prepare('INSERT INTO message_words (rowid, words, filters) VALUES (?, ?, ?)')
  const unread = sqlite.prepare('INSERT INTO unread VALUES (?, ?, ?)')
  const reaction = sqlite.prepare('INSERT INTO reactions VALUES (?, ?, ?, ?, ?)')
  const counters = sqlite.prepare(
    `UPDATE conversations SET newest_message_id = ?, unread_count = unread_count + ?, mention_count = mention_count + ?
     WHERE conversation_id = ?`,
  )
  const size = sqlite.prepare(
    'INSERT INTO conversation_sizes VALUES (?, 1) ON CONFLICT DO UPDATE SET message_count = message_count + 1',
  )
  const known = new Map<string, number>()
  const put = (message: MessageFields) => {
    const to = message.conversation
    const key = conversationKey(to)
    let home = known.get(key)
    const isTopic = to.kind === 'topic'
    if (home === undefined) {
      conversation.run(
        key,
        to.kind,
        isTopic ? to.channelId : null,
        isTopic ? to.topic : null,
        isTopic ? null : JSON.stringify(to.userIds),
      )
      home = idOf.get(key) as number
      known.set(key, home)
    }
    const { id, senderId, isRead, isMentioned } = message
    row.run(
      id,
      home,
      isTopic ? to.channelId : null,
      senderId,
      message.senderName,
      message.sentAt,
      message.contentHtml,
      message.isStarred ? 1 : 0,
      isMentioned ? 1 : 0,
    )
    for (const { type, code, name, userId } of message.reactions) reaction.run(id, type, code, name, userId)
    words.run(
      id,
      `${wordsFromHtml(message.contentHtml)} ${isTopic ? to.topic : ''}`,
      `${isTopic ? `c${to.channelId}` : 'direct'} u${senderId} v${home}`,
    )
    if (!isRead) unread.run(id, home, isMentioned ? 1 : 0)
    counters.run(id, isRead ? 0 : 1, isMentioned ? 1 : 0, home)
    size.run(home)
  }
  const write = sqlite.transaction((messages: readonly MessageFields[]) => messages.forEach(put))
  return { write, close: () => void sqlite.close() }
}

/** Fills a new file by hand; returns milliseconds per thousand messages. */
export function fillByHand(path: string, messages: Iterable<MessageFields>): number[] {
  const writer = handWriter(path)
  const times: number[] = []
  let batch: MessageFields[] = []
  for (const message of messages) {
    batch.push(message)
    if (batch.length < perWrite) continue
    times.push(timed(() => writer.write(batch)))
    batch = []
  }
  writer.close()
  return times
}
