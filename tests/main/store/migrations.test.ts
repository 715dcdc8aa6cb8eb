import type Sqlite from 'better-sqlite3'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openAccountFile } from '../../../src-main/store/account-file.ts'
import { openStore } from '../../../src-main/store/database.ts'
import { journalPath, openJournal, readJournal } from '../../../src-main/store/journal.ts'
import { migrations } from '../../../src-main/store/migrations/index.ts'
import { openFile } from '../../../src-main/store/open-file.ts'
import { ownTables } from '../../../src-main/store/own-tables.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// A migration that changes rows changes those that it means, and leaves every other value as it was.

type Row = Readonly<Record<string, unknown>>
const rowsOf = (sqlite: Sqlite.Database, table: string): Row[] =>
  // The query selects all columns.
  sqlite.prepare(`SELECT * FROM ${table} ORDER BY 1`).all() as Row[]
const without = (row: Row, ...columns: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)))

const draft = (id: string, columns: string, values: string) =>
  `INSERT INTO drafts (draft_id, state, recipient, content, created_at, edited_at${columns})
   VALUES ('${id}', 'edited', 'null', 'own ${id}', 1, 2${values});`
const message = (id: number, html: string) =>
  `INSERT INTO messages (message_id, conversation_id, sender_id, sender_name, sent_at, content_html, is_me_message,
     is_read, is_starred, is_mentioned, generation)
   VALUES (${id}, 1, 7, 'Maren', ${id}, '${html}', 0, 1, 1, 0, 4);`
const queue = `UPDATE sync SET queue_id = 'q', last_event_id = 12, generation = 4, feature_level = 420;`

interface Case {
  readonly number: number
  readonly rows: string
  /** The rows afterwards, from those before; null for a row that is removed. */
  readonly becomes: Readonly<Record<string, (row: Row) => Row | null>>
}

const cases: readonly Case[] = [
  {
    number: 50,
    rows:
      draft('plain', '', '') +
      draft(
        'conflict',
        ', base_recipient, base_content, remote_recipient, remote_content, remote_edited_at, saving_content',
        `, '"b"', 'base', '"r"', 'theirs', 9, 'saving'`,
      ),
    becomes: {
      drafts: (row) => ({
        ...row,
        server_recipient: row['remote_recipient'],
        server_content: row['remote_content'],
      }),
    },
  },
  {
    number: 100,
    rows:
      message(1, '<p>/poll Lunch?</p>') +
      message(2, '<p>/todo</p>') +
      message(3, '<p>a /poll within</p>') +
      message(4, '<p>plain</p>'),
    becomes: {
      messages: (row) => ({ ...row, generation: Number(row['message_id']) < 3 ? 0 : row['generation'] }),
    },
  },
  {
    number: 110,
    rows:
      queue +
      `INSERT INTO channels (channel_id, name, folded_name, description, color, is_private, is_web_public,
         is_archived, has_shared_history, is_subscribed, can_send_group)
       VALUES (5, 'gauges', 'gauges', 'd', '#aabbcc', 0, 0, 0, 1, 1, '7');
       INSERT INTO users VALUES (7, 'm@example.org', 'Maren', 'maren', 400, 0, 1, NULL, '');`,
    becomes: {
      sync: (row) => ({ ...row, queue_id: null }),
      channels: (row) => ({ ...without(row, 'can_send_group'), permissions: '{}' }),
      users: (row) => ({ ...row, bot_owner_id: null, joined_at: null, delivery_email: null, profile: '{}' }),
    },
  },
  {
    number: 130,
    rows: queue + message(1, '<p>plain</p>') + `INSERT INTO channel_folders VALUES (3, 'Sea', 1, 0);`,
    becomes: {
      sync: (row) => ({ ...row, queue_id: null }),
      messages: (row) => ({ ...row, has_alert_word: 0 }),
      channel_folders: (row) => ({ ...row, description: '' }),
    },
  },
  {
    number: 310,
    rows: `INSERT INTO objects VALUES ('message-history', '4', '{}');
       INSERT INTO objects VALUES ('message-readers', '4', '{}');`,
    becomes: { objects: (row) => (row['kind'] === 'message-history' ? null : row) },
  },
]

const unchanged = (row: Row): Row => row

const upTo = (number: number) => migrations.filter((step) => step.number <= number)

/** All rows of all tables that a person or server filled. */
function content(sqlite: Sqlite.Database): Map<string, Row[]> {
  const tables = sqlite
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'message_words*'
         AND name NOT GLOB 'vocabulary_parts*' ORDER BY 1`,
    )
    .pluck()
    .all() as string[]
  return new Map(tables.map((table) => [table, rowsOf(sqlite, table)]))
}

test.each(cases)('migration $number changes the rows that it means', ({ number, rows, becomes }) => {
  const directory = temporaryFolder(onTestFinished)
  const path = join(directory, 'account.db')
  const older = openFile(path, upTo(number - 1))
  // What the person wrote is in every file.
  older.exec(`${rows}
    INSERT INTO outbox (local_id, name, payload, lane, state, created_at)
    VALUES ('o1', 'send-message', '{}', 'topic', 'waiting', 1);
    INSERT INTO draft_versions VALUES ('d', 1, 'null', 'words', 1, 'here', NULL);`)
  const before = content(older)
  older.close()
  const newer = openFile(path, upTo(number))
  const after = content(newer)
  newer.close()
  expect(Object.keys(becomes).every((table) => (before.get(table)?.length ?? 0) > 0)).toBe(true)
  for (const [table, old] of before)
    expect(after.get(table), table).toEqual(old.flatMap((row) => (becomes[table] ?? unchanged)(row) ?? []))
  for (const [table, made] of after) if (!before.has(table)) expect(made, table).toEqual([])
})

test('migration 330 counts the messages of each conversation', () => {
  const path = join(temporaryFolder(onTestFinished), 'account.db')
  const older = openFile(path, upTo(320))
  const place = (id: number, home: number) =>
    `UPDATE messages SET conversation_id = ${home} WHERE message_id = ${id};`
  older.exec(
    [1, 2, 3].map((id) => message(id, '<p>plain</p>').replace('is_read', 'unused_is_read')).join('') +
      place(2, 9),
  )
  older.close()
  const newer = openFile(path, upTo(330))
  expect(rowsOf(newer, 'conversation_sizes')).toEqual([
    { conversation_id: 1, message_count: 2 },
    { conversation_id: 9, message_count: 1 },
  ])
  newer.close()
})

test('the migrations that change rows are those above, and the ones that fill what they make', () => {
  const changing = migrations.filter(({ up }) => {
    const texts: string[] = []
    up((sql) => texts.push(sql))
    return /^\s*(UPDATE|DELETE|REPLACE)\b/m.test(texts.join(';\n'))
  })
  expect(changing.map(({ number }) => number)).toEqual(cases.map(({ number }) => number))
})

test.each([30, 60, 140, 230])('a journal of schema %i is salvaged into the newest file', (number) => {
  const directory = temporaryFolder(onTestFinished)
  const path = join(directory, 'account.db')
  const older = openStore(path, () => {}, {
    steps: upTo(number),
    journal: openJournal(journalPath(path), () => {}),
  })
  older.write((db) => {
    for (const sql of [
      draft('plain', '', ''),
      draft('conflict', ', base_content, remote_recipient, remote_content', `, 'base', 'null', 'theirs'`),
      `INSERT INTO draft_versions VALUES ('plain', 1, 'null', 'words', 1, 'here', NULL)`,
      `INSERT INTO outbox (local_id, name, payload, lane, state, created_at)
       VALUES ('o1', 'star-message', '{}', 'flags', 'waiting', 1)`,
    ])
      db.run(sql)
  })
  const isThere = (table: string) =>
    older.db.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1", { 1: table }) !== undefined
  const kept = new Map(
    ownTables
      .filter(isThere)
      .map((table) => [table, older.db.all<Row>(`SELECT * FROM ${table} ORDER BY 1, 2`)]),
  )
  older.close()
  expect(readJournal(journalPath(path))?.schema).toBe(number)
  rmSync(path)
  const { store, notice } = openAccountFile({
    path,
    isDamaged: false,
    now: 1,
    log: () => {},
    onDamage: () => {},
    onDeleted: () => {},
  })
  expect(notice).not.toBe(null)
  for (const [table, rows] of kept)
    expect(store.db.all<Row>(`SELECT * FROM ${table} ORDER BY 1, 2`), table).toMatchObject(rows)
  store.close()
  expect(readJournal(journalPath(path))?.schema).toBe(migrations.at(-1)?.number)
})
