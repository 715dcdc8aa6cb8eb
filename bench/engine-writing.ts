import Sqlite from 'better-sqlite3'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../src-main/store/database.ts'
import { putDraft } from '../src-main/store/drafts.ts'
import { putMessage } from '../src-main/store/messages.ts'
import { textFromHtml } from '../src-main/store/words.ts'
import { draftId } from '../src-shared/ids.ts'
import { compare, timed, type Line } from './measure.ts'
import { tinyBase } from './peers.ts'
import { sizeOf, workload } from './workload.ts'

/** One event and one keystroke, beside bare statements on a copy of the same file. */
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
  const row = bare.prepare(
    `INSERT INTO messages (message_id, conversation_id, channel_id, sender_id, sender_name, sent_at, content_html,
       is_me_message, is_read, is_starred, is_mentioned, generation) VALUES (?, 1, 1, ?, ?, ?, ?, 0, 1, 0, 0, 1)`,
  )
  const words = bare.prepare('INSERT INTO message_words (rowid, words, filters) VALUES (?, ?, ?)')
  const draft = bare.prepare(
    `INSERT INTO drafts (draft_id, state, recipient, content, created_at, edited_at) VALUES ('d', 'edited', 'null', ?, 1, 1)
     ON CONFLICT (draft_id) DO UPDATE SET content = excluded.content`,
  )
  const fresh = [...workload(sizeOf(2_000), 99)]
  let next = messages
  let nextBare = messages
  let nextTiny = messages
  const tiny = tinyBase()
  const events = 200
  const lines = await compare('one message event, committed', rounds, [
    {
      name: 'row and words in one transaction',
      run: () =>
        fresh.slice(0, events).map((message) => {
          const id = ++nextBare
          const put = bare.transaction(() => {
            row.run(id, message.senderId, message.senderName, message.sentAt, message.contentHtml)
            words.run(id, textFromHtml(message.contentHtml), 'c1 u1 v1')
          })
          return timed(() => put())
        }),
    },
    {
      name: 'Dunlin',
      run: () =>
        fresh
          .slice(0, events)
          .map((message) => timed(() => store.write((db) => putMessage(db, { ...message, id: ++next }, 1)))),
    },
    {
      name: 'TinyBase, in memory, not searchable',
      run: () => fresh.slice(0, events).map((message) => timed(() => tiny({ ...message, id: ++nextTiny }))),
    },
  ])
  const texts = Array.from({ length: 300 }, (_, index) =>
    'a draft grows by a letter '.repeat(8).slice(0, index),
  )
  const mine = draftId('bench')
  const stored = (content: string) => ({
    id: mine,
    serverId: null,
    state: 'edited' as const,
    local: { recipient: null, content },
    base: null,
    remote: null,
    remoteEditedAt: null,
    onServer: null,
    saving: null,
    createdAt: 1,
    editedAt: 1,
    isDeleted: false,
    attempts: 0,
    nextAttemptAt: null,
  })
  lines.push(
    ...(await compare('one keystroke of a draft, on disk', rounds, [
      { name: 'bare upsert', run: () => texts.map((text) => timed(() => draft.run(text))) },
      {
        name: 'Dunlin',
        run: () => texts.map((text) => timed(() => store.write((db) => putDraft(db, stored(text))))),
      },
    ])),
  )
  bare.close()
  return lines
}
