import Sqlite from 'better-sqlite3'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import type { Connection } from '../src-main/api/connection.ts'
import { createDrafts } from '../src-main/drafts/drafts.ts'
import { keepsDrafts } from '../src-main/drafts/keeps-drafts.ts'
import { realClock } from '../src-main/hosts/real-clock.ts'
import { openAccountFile } from '../src-main/store/account-file.ts'
import { conversationId } from '../src-main/store/conversations.ts'
import type { Store } from '../src-main/store/database.ts'
import { putMessage } from '../src-main/store/messages.ts'
import { createWordsUpkeep } from '../src-main/store/words-upkeep.ts'
import { wordsFromHtml } from '../src-main/store/words.ts'
import { sqliteMerges } from './engine-filling.ts'
import { compare, timed, type Line } from './measure.ts'
import { tinyBase } from './peers.ts'
import { ownUserId, sizeOf, workload } from './workload.ts'

/** One event and one keystroke, compared with bare statements on a copy of the same file. */
export async function writes(
  store: Store,
  path: string,
  directory: string,
  messages: number,
  rounds: number,
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
       is_me_message, is_read, is_starred, is_mentioned, generation) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 1, 0, 0, 1)`,
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
  // Enough runs to show one in a thousand.
  const events = 1_000
  const upkeep = new Sqlite(path)
  upkeep.pragma('synchronous = NORMAL')
  const wordsUpkeep = createWordsUpkeep(upkeep, () => {})
  const lines = await compare('one message event, committed', rounds, [
    {
      name: 'row and words in one transaction',
      run: () =>
        fresh.slice(0, events).map(({ message, home, channel, filters }) => {
          const id = ++nextBare
          const put = bare.transaction(() => {
            const { senderId, senderName, sentAt, contentHtml } = message
            row.run(id, home, channel, senderId, senderName, sentAt, contentHtml)
            words.run(id, wordsFromHtml(contentHtml), filters)
          })
          return timed(() => put())
        }),
    },
    {
      name: 'Dunlin',
      run: () =>
        fresh.slice(0, events).map(({ message }) => {
          const id = ++next
          wordsUpkeep.written(id)
          return timed(() => store.write((db) => putMessage(db, { ...message, id }, 1)))
        }),
    },
    {
      name: 'Dunlin, joining the index between events, a step at a time',
      run() {
        const times: number[] = []
        for (let isLeft = true; isLeft;) times.push(timed(() => (isLeft = wordsUpkeep.join())))
        return times
      },
    },
    {
      name: 'Dunlin, gathering their words between events, a step at a time',
      run() {
        const times: number[] = []
        for (let isLeft = true; isLeft;) times.push(timed(() => (isLeft = wordsUpkeep.gather())))
        return times
      },
    },
    {
      name: 'TinyBase, in memory, not searchable',
      run: () =>
        fresh.slice(0, events).map(({ message }) => timed(() => tiny({ ...message, id: ++nextTiny }))),
    },
  ])
  bare.close()
  wordsUpkeep.close()
  upkeep.close()
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
    clock: realClock,
    ownUserId,
    signal: end.signal,
    log: () => {},
    keepsDrafts: () => keepsDrafts(store.db),
    hearOut: async () => {},
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
