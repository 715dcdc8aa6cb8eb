import Sqlite from 'better-sqlite3'
import { appendFileSync, cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { draftId, localId, userId } from '../../../src-shared/ids.ts'
import { undecided } from '../../../src-shared/model/outbox.ts'
import { versionsOf } from '../../../src-main/store/draft-versions.ts'
import { updateDraftText } from '../../../src-main/store/drafts.ts'
import { openAccountFile, type OpenedAccountFile } from '../../../src-main/store/account-file.ts'
import { journalPath, readJournal } from '../../../src-main/store/journal.ts'
import { insertOutboxRow, outboxRows, removeOutboxRow } from '../../../src-main/store/outbox.ts'
import { ownTables } from '../../../src-main/store/own-tables.ts'
import { emptyCache } from '../../support/empty-cache.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// The journal: the second copy of what only this device knows.

let directory: string
let path: string
let opened: OpenedAccountFile
const log: string[] = []

const parts = {
  isDamaged: false,
  now: 1_000,
  log: (line: string) => log.push(line),
  onDamage: () => {},
  onDeleted: () => {},
}
const open = () => openAccountFile({ ...parts, path })

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  path = join(directory, 'account.db')
  log.length = 0
  opened = open()
})

afterEach(() => {
  opened.store.close()
})

const put = (id: string, content: string, serverId: number | null = null, editedAt = 1) =>
  opened.store.write((db) =>
    db.run(
      `INSERT OR REPLACE INTO drafts (draft_id, server_id, state, recipient, content, created_at, edited_at)
       VALUES (?, ?, 'edited', 'null', ?, 1, ?)`,
      [id, serverId, content, editedAt],
    ),
  )
/** The drafts in the journal at the end of the turn. */
const inJournal = async () => {
  await turn()
  const rows = [...(readJournal(journalPath(path))?.tables.get('drafts')?.values() ?? [])]
  return Object.fromEntries(rows.map((row) => [row['draft_id'], row['content']]))
}
const inFile = () =>
  Object.fromEntries(
    opened.store.db
      .all<{ draft_id: string; content: string }>('SELECT draft_id, content FROM drafts')
      .map((row) => [row.draft_id, row.content]),
  )

test('whatever statement changes an own table, the journal says the same', async () => {
  put('a', 'one')
  put('b', 'two\nlines and a "quote" and \u2028 and 🪶')
  put('c', 'three', 7)
  opened.store.write((db) => db.run(`UPDATE drafts SET content = content || '!' WHERE draft_id <> 'b'`))
  // It takes over the server id of another draft, so that row is removed.
  put('d', 'four', 7)
  opened.store.write((db) => db.run(`UPDATE drafts SET draft_id = 'e' WHERE draft_id = 'a'`))
  expect(inFile()).toEqual({ b: 'two\nlines and a "quote" and \u2028 and 🪶', d: 'four', e: 'one!' })
  expect(await inJournal()).toEqual(inFile())
  opened.store.write((db) => db.run('DELETE FROM drafts'))
  expect(await inJournal()).toEqual({})
})

test('a change that is rolled back, wholly or to a savepoint, is not in the journal', async () => {
  put('a', 'one')
  expect(() =>
    opened.store.write((db) => {
      db.run(`UPDATE drafts SET content = 'two'`)
      throw new Error('no')
    }),
  ).toThrow('no')
  opened.store.write((db) => {
    db.run(`UPDATE drafts SET content = 'three'`)
    try {
      opened.store.write((inner) => {
        inner.run(`UPDATE drafts SET content = 'four'`)
        throw new Error('no')
      })
    } catch {
      // The outer transaction continues.
    }
  })
  expect(await inJournal()).toEqual({ a: 'three' })
})

test('what one turn commits is one line: whole or not there', async () => {
  put('a', 'one')
  await turn()
  opened.store.write((db) => db.run(`DELETE FROM drafts WHERE draft_id = 'a'`))
  opened.store.write((db) =>
    db.run(
      `INSERT INTO outbox (local_id, name, payload, lane, state, created_at) VALUES ('o', 'react', '{}', 'l', 'waiting', 1)`,
    ),
  )
  await turn()
  const lines = readFileSync(journalPath(path), 'utf8').split('\n')
  expect(lines.at(-2)).toMatch(/^[0-9a-f]{8} \{"number":2,"changes":\[\["drafts","gone".*"outbox","put"/)
})

/** Opens a copy of the folder as a process leaves it that is killed now. */
function afterKill(): OpenedAccountFile {
  const copy = join(directory, `killed-${log.length}.db`)
  for (const end of ['', '-wal', '.journal']) cpSync(`${path}${end}`, `${copy}${end}`)
  path = copy
  return open()
}

const keystroke = (content: string) =>
  opened.store.writeOnce((db) => updateDraftText(db, draftId('a'), content, 2))

test('a process that is killed before its turn is over loses none of it', async () => {
  put('a', 'one')
  await turn()
  keystroke('on the way')
  keystroke('on the way home')
  put('b', 'two')
  const alive = opened
  opened = afterKill()
  alive.store.close()
  expect(opened.notice).toBe(null)
  expect(inFile()).toEqual({ a: 'on the way home', b: 'two' })
  expect(await inJournal()).toEqual(inFile())
})

test('a keystroke alone tells that the file is ahead of its journal, or behind it', async () => {
  put('a', 'one')
  await turn()
  const before = readFileSync(journalPath(path))
  keystroke('two')
  const alive = opened
  opened = afterKill()
  alive.store.close()
  expect(inFile()).toEqual({ a: 'two' })
  opened.store.close()
  cpSync(journalPath(path), `${path}.kept`)
  // A journal with the keystroke, without the file.
  rmSync(path)
  expect(before.toString()).not.toContain('two')
  cpSync(`${path}.kept`, journalPath(path))
  opened = open()
  expect(inFile()).toEqual({ a: 'two' })
})

test('a statement of its own that would not tell is refused, with nothing written', async () => {
  put('a', 'one')
  await turn()
  expect(() => opened.store.writeOnce((db) => db.run(`UPDATE drafts SET content = 'two'`))).toThrow(
    'its number',
  )
  expect(inFile()).toEqual({ a: 'one' })
  keystroke('three')
  expect(inFile()).toEqual({ a: 'three' })
  expect(await inJournal()).toEqual(inFile())
})

test('the journal is bounded however long somebody types, and a close makes it small', async () => {
  const text = 'ebb and flow '.repeat(2_000)
  let largest = 0
  for (let n = 0; n < 800; n++) {
    put('a', `${n} ${text}`)
    if (n % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
    largest = Math.max(largest, statSync(journalPath(path)).size)
  }
  expect(largest).toBeLessThan(6 * 1024 * 1024)
  expect(await inJournal()).toEqual(inFile())
  opened.store.close()
  expect(statSync(journalPath(path)).size).toBeLessThan(30_000)
  opened = open()
  expect(await inJournal()).toEqual(inFile())
  expect(opened.notice).toBe(null)
})

/** Copies the folder as a killed process leaves it, with some words in the middle of the journal changed. */
function damageJournal(of: string): string {
  const copy = join(temporaryFolder(onTestFinished), 'account.db')
  for (const end of ['', '-wal', '.journal']) cpSync(`${path}${end}`, `${copy}${end}`)
  const journal = readFileSync(journalPath(copy), 'utf8')
  expect(journal).toContain(of)
  writeFileSync(journalPath(copy), journal.replace(of, of.toUpperCase()))
  return copy
}

test('of a file and a journal that are equally new, the one that is whole counts', async () => {
  put('a', 'one')
  await turn()
  put('a', 'one and another hour of words')
  await turn()
  put('b', 'two')
  await turn()
  const copy = damageJournal('another hour')
  opened.store.close()
  opened = openAccountFile({ ...parts, path: copy, isDamaged: true })
  expect(inFile()).toEqual({ a: 'one and another hour of words', b: 'two' })
})

test('of a damaged journal and a file that cannot tell how new it is, the later words count and the others are a version', async () => {
  put('a', 'one', null, 1)
  put('b', 'two', null, 1)
  await turn()
  put('a', 'one and another hour of words', null, 2)
  await turn()
  put('b', 'two and more', null, 2)
  await turn()
  const copy = damageJournal('another hour')
  const file = new Sqlite(copy)
  file.exec(`UPDATE drafts SET content = 'two', edited_at = 1 WHERE draft_id = 'b'; DELETE FROM own_changes`)
  file.close()
  opened.store.close()
  opened = openAccountFile({ ...parts, path: copy, isDamaged: true })
  expect(inFile()).toEqual({ a: 'one and another hour of words', b: 'two and more' })
  const older = (id: string) => versionsOf(opened.store.db, draftId(id)).map(({ content }) => content)
  expect([older('a'), older('b')]).toEqual([['one'], ['two']])
})

test('a message is not sent unasked if the line that says that it was sent may be lost', async () => {
  const id = localId('m')
  const action = {
    name: 'send-message',
    conversation: { kind: 'direct', userIds: [userId(2)] },
    content: 'low water',
    draftId: null,
  } as const
  opened.store.write((db) =>
    insertOutboxRow(db, { localId: id, action, lane: 'a', conversationKey: null, createdAt: 1 }),
  )
  await turn()
  // One turn is one line.
  opened.store.write((db) => removeOutboxRow(db, id))
  put('a', 'on the way')
  await turn()
  put('b', 'two')
  await turn()
  const copy = damageJournal('on the way')
  opened.store.close()
  for (const end of ['', '-wal']) rmSync(`${copy}${end}`)
  opened = openAccountFile({ ...parts, path: copy })
  expect(outboxRows(opened.store.db)).toMatchObject([{ localId: id, state: 'unsure', reason: undecided }])
})

test('a torn last line counts as not written, and nothing is glued to it', async () => {
  put('a', 'one')
  opened.store.close()
  appendFileSync(journalPath(path), '12ab34cd {"number":9,"chan')
  opened = open()
  put('b', 'two')
  expect(await inJournal()).toEqual({ a: 'one', b: 'two' })
  expect(opened.notice).toBe(null)
})

test('emptying the cache leaves the own tables and their number alone', () => {
  put('a', 'one')
  opened.store.write((db) => emptyCache(db))
  put('b', 'two')
  opened.store.close()
  opened = open()
  expect(inFile()).toEqual({ a: 'one', b: 'two' })
  expect(opened.notice).toBe(null)
})

test('every table is own or cache, and the own ones are in the journal', () => {
  for (const table of ownTables) {
    expect(readFileSync(journalPath(path), 'utf8')).toContain(`"${table}":[`)
  }
})
