// node --expose-gc bench/memory.ts open|bare|engine FILE: the memory in MiB of a process that has an account's file
// open, or has read around in it.
import Sqlite from 'better-sqlite3'
import { feed } from '../src-main/queries/feed.ts'
import { inbox } from '../src-main/queries/inbox.ts'
import type { QueryContext } from '../src-main/queries/context.ts'
import { search } from '../src-main/queries/search.ts'
import { sidebar } from '../src-main/queries/sidebar.ts'
import { openStore } from '../src-main/store/database.ts'
import { ownUserId, randomFrom, sizeOf, word, zipf } from './workload.ts'

const [, , mode = '', path = ''] = process.argv
const visits = 300
if (mode === 'open') {
  new Sqlite(path, { readonly: true }).prepare('SELECT 1 FROM messages LIMIT 1').get()
} else if (mode === 'bare') {
  const bare = new Sqlite(path, { readonly: true })
  const window = bare.prepare('SELECT * FROM messages WHERE message_id < ? ORDER BY message_id DESC LIMIT 50')
  const newest = bare.prepare('SELECT max(message_id) FROM messages').pluck().get() as number
  const random = randomFrom(5)
  for (let visit = 0; visit < visits; visit++) JSON.stringify(window.all(Math.floor(random() * newest)))
} else {
  const store = openStore(path, () => {})
  const messages = store.db.get<{ n: number }>('SELECT max(message_id) AS n FROM messages')?.n ?? 0
  // The brands exist only in the types.
  const context = { db: store.db, ownUserId, now: Date.now() } as QueryContext
  const random = randomFrom(5)
  const anyTopic = zipf(sizeOf(messages).topics, random)
  const anyWord = zipf(400, random)
  for (let visit = 0; visit < visits; visit++) {
    const topic = anyTopic()
    JSON.stringify(
      feed(context, {
        accountId: 'a' as never,
        narrow: {
          kind: 'topic',
          channelId: ((topic % sizeOf(messages).channels) + 1) as never,
          topic: `topic ${topic}`,
        },
        around: 'newest',
        before: 50,
        after: 0,
      }),
    )
    if (visit % 10 === 0) JSON.stringify([sidebar(context), inbox(context)])
    JSON.stringify(search(context, word(20 + anyWord()), 50))
  }
}
globalThis.gc?.()
process.stdout.write(String(process.memoryUsage().rss / 2 ** 20))
