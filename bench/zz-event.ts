import Sqlite from 'better-sqlite3'
import { PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { createCheckpoints } from '../src-shared/sqlite/checkpoints.ts'
import { openStore } from '../src-main/store/database.ts'
import { conversationId } from '../src-main/store/conversations.ts'
import { putMessage } from '../src-main/store/messages.ts'
import { wordsFromHtml } from '../src-main/store/words.ts'
import { sqliteMerges } from './engine-filling.ts'
import { quantile } from './measure.ts'
import { sizeOf, workload } from './workload.ts'
const rounds = Number(process.argv[2] ?? 3), which = process.argv[3] ?? 'both'
const path = '/tmp/zz/own.db'
if (process.argv.includes('--fresh')) { const { cpSync, rmSync } = await import('node:fs'); for (const x of ['', '-wal', '-shm']) rmSync(path + x, { force: true }); cpSync('/tmp/zz/account.db', path) }
const slow: string[] = []
const proto = Object.getPrototypeOf(new Sqlite(':memory:').prepare('SELECT 1'))
const merges: number[] = []
if (process.argv.includes('--merges')) { const was = proto.run; proto.run = function (this: any, ...a: unknown[]) { if (!String(this.source).includes("'merge'")) return was.apply(this, a); const s = performance.now(); try { return was.apply(this, a) } finally { merges.push(performance.now() - s) } } }
if (process.argv.includes('--slow')) for (const name of ['run', 'all', 'get'] as const) {
  const was = proto[name]
  proto[name] = function (this: any, ...a: unknown[]) {
    const s = performance.now()
    try { return was.apply(this, a) } finally {
      const took = performance.now() - s
      if (took > 3) slow.push(`${took.toFixed(1).padStart(6)} ms ${name} ${String(this.source).replace(/\s+/g, ' ').slice(0, 100)}`)
    }
  }
}
new PerformanceObserver((list) => { for (const e of list.getEntries()) if (e.duration > 3) slow.push(`${e.duration.toFixed(1).padStart(6)} ms gc ${(e as any).detail?.kind}`) }).observe({ entryTypes: ['gc'] })
const checkpoints = createCheckpoints(console.log)
const store = openStore(path, console.log, { checkpoints })
const top = store.db.get<{ n: number }>('SELECT max(message_id) AS n FROM messages')!.n
const fresh = [...workload(sizeOf(2_000), 99)].map((message) => {
  const { conversation, senderId } = message
  const home = store.write((db) => conversationId(db, conversation))
  const channel = conversation.kind === 'topic' ? conversation.channelId : null
  return { message, home, channel, filters: `${channel === null ? 'direct' : `c${channel}`} u${senderId} v${home}` }
})
let next = top, nextBare = top
const events = 1000
const each = async (put: (e: (typeof fresh)[number]) => void, late: number[]) => {
  const times: number[] = []
  for (const event of fresh.slice(0, events)) {
    const start = performance.now(); put(event); const committed = performance.now()
    times.push(committed - start)
    await pause(2)
    late.push(performance.now() - committed - 2)
  }
  return times
}
const tell = (name: string, times: number[], late: number[]) => {
  times.sort((a, b) => a - b); late.sort((a, b) => a - b)
  const q = (l: number[]) => [0.5, 0.9, 0.99, 0.999].map((p) => quantile(l, p).toFixed(3)).join(' ') + ' max ' + l.at(-1)!.toFixed(1)
  console.log(`${name}: ${q(times)} | late ${q(late)}`)
}
let bare: Sqlite.Database | null = null, put: any
if (which !== 'own') {
  const { cpSync, existsSync } = await import('node:fs')
  if (!existsSync('/tmp/zz/bare.db')) cpSync(path, '/tmp/zz/bare.db')
  bare = new Sqlite('/tmp/zz/bare.db'); bare.pragma('journal_mode = WAL'); bare.pragma('synchronous = NORMAL'); bare.exec(sqliteMerges)
  nextBare = bare.prepare('SELECT max(message_id) FROM messages').pluck().get() as number
  const row = bare.prepare(`INSERT INTO messages (message_id, conversation_id, channel_id, sender_id, sender_name, sent_at, content_html, is_me_message, is_read, is_starred, is_mentioned, generation) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 1, 0, 0, 1)`)
  const words = bare.prepare('INSERT INTO message_words (rowid, words, filters) VALUES (?, ?, ?)')
  put = bare.transaction(({ message, home, channel, filters }: any) => {
    const { senderId, senderName, sentAt, contentHtml } = message; const id = ++nextBare
    row.run(id, home, channel, senderId, senderName, sentAt, contentHtml); words.run(id, wordsFromHtml(contentHtml), filters)
  })
}
for (let round = 0; round < rounds; round++) {
  const late: number[] = []
  if (bare) tell('bare', await each((e) => put(e), late), late)
  slow.length = 0
  const late2: number[] = []
  tell('own ', await each(({ message }) => store.write((db) => putMessage(db, { ...message, id: ++next }, 1)), late2), late2)
  console.log('   segments', store.db.get<{ n: number }>('SELECT count(DISTINCT segid) AS n FROM message_words_idx')!.n)
  if (process.argv.includes('--slow')) console.log(slow.slice(0, 40).join('\n'))
}
merges.sort((a, b) => a - b); if (merges.length) console.log('merges', merges.length, 'total', merges.reduce((a, b) => a + b, 0).toFixed(0), [0.5, 0.9, 0.99, 0.999].map((q) => quantile(merges, q).toFixed(2)).join(' '), 'max', merges.at(-1)!.toFixed(1), 'over 8:', merges.filter((m) => m > 8).length)
const d = new Sqlite(path); const ds = performance.now(); let most = 0, n = 0; const st = d.prepare(`INSERT INTO message_words (message_words, rank) VALUES ('merge', ${process.env['PPS'] ?? 24})`); const ch = d.prepare('SELECT total_changes() AS n').pluck()
for (;;) { const b = ch.get() as number; const s = performance.now(); st.run(); most = Math.max(most, performance.now() - s); n++; if ((ch.get() as number) - b <= 1) break }
console.log('drained in', (performance.now() - ds).toFixed(0), 'ms', n, 'steps, most', most.toFixed(1)); d.close()
store.close(); checkpoints.close()
