import Sqlite from 'better-sqlite3'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import type { Connection } from '../src-main/api/connection.ts'
import { createDrafts } from '../src-main/drafts/drafts.ts'
import { keepsDrafts } from '../src-main/drafts/keeps-drafts.ts'
import { systemClock } from '../src-shared/clock/clock.ts'
import { openAccountFile } from '../src-main/store/account-file.ts'
import { conversationId } from '../src-main/store/conversations.ts'
import type { Store } from '../src-main/store/database.ts'
import { putMessage } from '../src-main/store/messages.ts'
import { wordsFromHtml } from '../src-main/store/html-text.ts'
import { sqliteMerges } from './engine-filling.ts'
import { compare, quantile, type Line } from './measure.ts'
import { tinyBase } from './peers.ts'
import { ownUserId, sizeOf, workload } from './workload.ts'

/** Enough runs to show one in a thousand. */
const events = 1_000
/** The pause between two events, in milliseconds: more of them at a time would come as one batch. */
const eventGapMs = 2

/** One message event, compared with bare statements on a copy of the same file. */
export async function writes(
  store: Store,
  path: string,
  directory: string,
  messages: number,
  rounds: number,
  facts: string[],
): Promise<Line[]> {
  const copy = join(directory, 'bare.db')
  store.write((db) => db.run('DELETE FROM typing'))
  for (const suffix of ['', '-wal']) cpSync(`${path}${suffix}`, `${copy}${suffix}`)
  const bare = new Sqlite(copy)
  bare.pragma('journal_mode = WAL')
  bare.pragma('synchronous = NORMAL')
  bare.exec(sqliteMerges)
  const row = bare.prepare(
    `INSERT INTO messages (message_id, conversation_id, channel_id, sender_id, sender_name, sent_at, content_html,
       is_me_message, is_starred, is_mentioned, generation, unused_is_read)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 1, 0)`,
  )
  const words = bare.prepare('INSERT INTO message_words (rowid, words, filters) VALUES (?, ?, ?)')
  // The floor writes the same rows, because a message's place decides which index pages are written.
  const fresh = [...workload(sizeOf(2_000), 99)].map((message) => {
    const { conversation, senderId } = message
    const home = store.write((db) => conversationId(db, conversation))
    const channel = conversation.kind === 'topic' ? conversation.channelId : null
    const filters = `${channel === null ? 'direct' : `c${channel}`} u${senderId} v${home}`
    return { message, home, channel, filters }
  })
  let next = messages
  let nextBare = messages
  let nextTiny = messages
  const tiny = tinyBase()
  const each = async (put: (event: (typeof fresh)[number]) => void, late: number[] = []) => {
    const times: number[] = []
    for (const event of fresh.slice(0, events)) {
      const start = performance.now()
      put(event)
      const committed = performance.now()
      times.push(committed - start)
      await pause(eventGapMs)
      late.push(performance.now() - committed - eventGapMs)
    }
    return times
  }
  const putBare = bare.transaction(({ message, home, channel, filters }: (typeof fresh)[number]) => {
    const { senderId, senderName, sentAt, contentHtml } = message
    const id = ++nextBare
    row.run(id, home, channel, senderId, senderName, sentAt, contentHtml)
    words.run(id, wordsFromHtml(contentHtml), filters)
  })
  /** How much longer each pause between two events lasted than it should. */
  const late: number[] = []
  const lateBare: number[] = []
  const lines = await compare('one message event, committed', rounds, [
    { name: 'row and words in one transaction', run: () => each((event) => putBare(event), lateBare) },
    {
      name: 'Dunlin',
      run: () =>
        each(({ message }) => store.write((db) => putMessage(db, { ...message, id: ++next }, 1)), late),
    },
    {
      name: 'TinyBase, in memory, not searchable',
      run: () => each(({ message }) => tiny({ ...message, id: ++nextTiny })),
    },
  ])
  late.sort((a, b) => a - b)
  lateBare.sort((a, b) => a - b)
  facts.push(
    `While ${(events * rounds).toLocaleString('en')} messages arrive one by one, their words are merged and gathered in the ` +
      `same thread; the next one waits for that for ${quantile(late, 0.999).toFixed(0)} ms at the 99.9 %, ` +
      `${(late.at(-1) ?? 0).toFixed(0)} ms at most; after the bare statements it waits for ` +
      `${quantile(lateBare, 0.999).toFixed(0)} ms, ${(lateBare.at(-1) ?? 0).toFixed(0)} ms at most.`,
  )
  bare.close()
  return lines
}

/**
 * The pause between two keys, in milliseconds: shorter than any typist's, and enough for the follow-up work of a key.
 */
const keyGapMs = 4

/** One keystroke, from the call to the answer that it is on disk, each followed by a pause as when people type. */
export async function keystrokes(directory: string, rounds: number): Promise<Line[]> {
  const open = (name: string) =>
    openAccountFile({
      path: join(directory, name),
      isDamaged: false,
      now: 1,
      log: () => {},
      onDamage: () => {},
      onDeleted: () => {},
    }).store
  const store = open('typing.db')
  // A server that keeps drafts.
  store.write((db) => db.run('UPDATE sync SET feature_level = 400 WHERE id = 1'))
  // The same tables.
  open('typing-bare.db').close()
  const bare = new Sqlite(join(directory, 'typing-bare.db'))
  bare.pragma('journal_mode = WAL')
  bare.pragma('synchronous = NORMAL')
  const upsert = bare.prepare(
    `INSERT INTO drafts (draft_id, state, recipient, content, created_at, edited_at) VALUES ('d', 'edited', 'null', ?, 1, 1)
     ON CONFLICT (draft_id) DO UPDATE SET content = excluded.content`,
  )
  const end = new AbortController()
  const drafts = createDrafts({
    store,
    // Nothing is sent: the account is never reported as online.
    connection: {} as Connection,
    clock: systemClock,
    ownUserId,
    signal: end.signal,
    log: () => {},
    keepsDrafts: () => keepsDrafts(store.db),
    catchUp: async () => {},
    files: { linkedSoFar: (text) => text, isUploading: () => false, onSettled: () => () => {} },
    findTopics: () => {},
    registerAnew: async () => {},
  })
  const recipient = null
  let before = 'a'
  const { draftId } = drafts.save(null, { recipient, content: before }, null)
  const type = (content: string) => {
    drafts.save(draftId, { recipient, content }, before)
    before = content
  }
  const texts = Array.from({ length: 300 }, (_, index) =>
    'a draft grows by a letter '.repeat(12).slice(0, index + 1),
  )
  const each = async (work: (text: string) => void, withTurn: boolean) => {
    const times: number[] = []
    for (const text of texts) {
      const start = performance.now()
      work(text)
      const answered = performance.now()
      await turn()
      times.push((withTurn ? performance.now() : answered) - start)
      await pause(keyGapMs)
    }
    return times
  }
  // A person types for longer than the compiler takes to warm up.
  for (let round = 0; round < 6; round++) {
    await each((text) => void upsert.run(text), false)
    await each(type, true)
  }
  const lines = await compare('one keystroke of a draft, on disk', rounds, [
    { name: 'bare upsert', run: () => each((text) => void upsert.run(text), false) },
    { name: 'Dunlin', run: () => each(type, false) },
    { name: 'Dunlin, with all that follows: the second copy, the saver', run: () => each(type, true) },
  ])
  end.abort()
  store.close()
  bare.close()
  return lines
}
