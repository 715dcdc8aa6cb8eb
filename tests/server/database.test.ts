import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../src-server/database.ts'
import { migrations } from '../../src-server/migrations/index.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder(afterAll)
const path = join(folder, 'workspace.db')
let db: Database
beforeEach(() => (db = openDatabase(path)))
afterEach(() => {
  db.close()
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
})

const put = (name: string, value = '') => db.run('INSERT INTO realm VALUES (?, ?)', name, value)

/** What another process would find if this one were killed now. */
function onDisk(): string[] {
  const other = new Sqlite(path, { readonly: true })
  const rows = other.prepare('SELECT message_id, content FROM messages ORDER BY message_id').all()
  other.close()
  return rows.map((row) => (row as { content: string }).content)
}
const write = (content: string) => {
  db.run(
    `INSERT INTO messages (sender_id, channel_id, content, rendered, sent_at) VALUES (1, 1, ?, '', 0)`,
    content,
  )
  return content
}
const person = () =>
  db.run(
    `INSERT INTO users (user_id, email, delivery_email, full_name, role, api_key, date_joined)
     VALUES (1, 'a@example.org', 'a@example.org', 'A', 400, 'key', 0)`,
  )

test('what waits together is written in its order, and nobody is told before all of it is on disk', async () => {
  person()
  const seen: string[][] = []
  const told = ['one', 'two', 'three'].map((content) =>
    db.grouped(() => write(content)).then((own) => seen.push([own, ...onDisk()])),
  )
  expect(onDisk()).toEqual([])
  await Promise.all(told)
  expect(seen).toEqual([
    ['one', 'one', 'two', 'three'],
    ['two', 'one', 'two', 'three'],
    ['three', 'one', 'two', 'three'],
  ])
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('who comes in the turns after others is written with them, and nobody has to wait for long', async () => {
  person()
  const told = ['one', 'two'].map((content) => db.grouped(() => write(content)).then(onDisk))
  const later: Promise<string>[] = []
  for (let count = 0; count < 20; count++) {
    await turn()
    later.push(db.grouped(() => write(`later ${count}`)))
  }
  const [first = []] = await Promise.all(told)
  expect(first.slice(0, 3)).toEqual(['one', 'two', 'later 0'])
  expect(first.length).toBeLessThan(8)
  await Promise.all(later)
  expect(onDisk()).toHaveLength(22)
})

test('who comes alone is written in the same turn', async () => {
  person()
  void db.grouped(() => write('alone'))
  await turn()
  expect(onDisk()).toEqual(['alone'])
})

test('a write that fails in a shared commit is undone alone, with what it left for the end', async () => {
  person()
  const ends: string[] = []
  const settled = await Promise.allSettled(
    ['one', 'bad', 'three'].map((content) =>
      db.grouped(() => {
        write(content)
        db.beforeCommit(() => ends.push(content))
        if (content === 'bad') throw new Error('refused')
        return content
      }),
    ),
  )
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(onDisk()).toEqual(['one', 'three'])
  expect(ends).toEqual(['one', 'three'])
})

test('a write that is refused before it wrote anything costs the others of its commit nothing', async () => {
  person()
  let runs = 0
  const settled = await Promise.allSettled(
    ['one', 'bad', 'three'].map((content) =>
      db.grouped(() => {
        runs++
        if (content === 'bad') {
          db.beforeCommit(() => write('left over'))
          throw new Error('refused')
        }
        return write(content)
      }),
    ),
  )
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(onDisk()).toEqual(['one', 'three'])
  expect(runs).toBe(3)
})

test('what fails at the end undoes everything, and everybody is told so', async () => {
  person()
  const settled = await Promise.allSettled(
    ['one', 'two'].map((content) =>
      db.grouped(() => {
        write(content)
        db.beforeCommit(() => {
          if (content === 'two') throw new Error('no room')
        })
      }),
    ),
  )
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(onDisk()).toEqual([])
  db.transaction(() => write('later'))
  expect(onDisk()).toEqual(['later'])
})

test('what waits is written before the file is closed', async () => {
  person()
  const told = db.grouped(() => write('last'))
  db.close()
  await expect(told).resolves.toBe('last')
  db = openDatabase(path)
  expect(onDisk()).toEqual(['last'])
})

test('what was read of a table that seldom changes is true after every kind of write', () => {
  const value = (name: string) =>
    db.get<{ value: string }>('SELECT value FROM realm WHERE name = ?', name)?.value
  const all = () => db.all<{ name: string }>('SELECT name FROM realm ORDER BY name').map((row) => row.name)
  expect(value('a')).toBeUndefined()
  put('a', 'first')
  expect(value('a')).toBe('first')
  db.run('UPDATE realm SET value = ? WHERE name = ?', 'second', 'a')
  expect(value('a')).toBe('second')
  put('b')
  expect(all()).toEqual(['a', 'b'])
  expect(() =>
    db.transaction(() => {
      db.run('DELETE FROM realm')
      expect(all()).toEqual([])
      expect(value('a')).toBeUndefined()
      throw new Error('undone')
    }),
  ).toThrow('undone')
  expect(all()).toEqual(['a', 'b'])
  expect(value('a')).toBe('second')
  expect(db.get('DELETE FROM realm WHERE name = ? RETURNING name', 'a')).toEqual({ name: 'a' })
  expect(all()).toEqual(['b'])
})

test('what a trigger writes is noticed as well', () => {
  const groups = () => db.all('SELECT group_id FROM direct_group_members WHERE user_id = ?', 7)
  expect(groups()).toEqual([])
  db.run('INSERT INTO direct_groups (user_ids) VALUES (?)', '[7, 8]')
  expect(groups()).toEqual([{ group_id: 1 }])
})

test('a list may be changed by who asked for it, and the next one is whole', () => {
  put('a')
  put('b')
  const ask = () => db.all<{ name: string }>('SELECT name FROM realm ORDER BY name')
  ask().reverse().pop()
  expect(ask().map(({ name }) => name)).toEqual(['a', 'b'])
  expect(() => Object.assign(ask()[0] ?? {}, { name: 'c' })).toThrow(TypeError)
})

/** Makes the file what it was at an older number, with what these statements put into it. */
function asOf(number: number, statements: readonly string[]): void {
  db.close()
  rmSync(path)
  const older = new Sqlite(path)
  older.pragma('synchronous = OFF')
  for (const [one, sql] of migrations) if (one <= number) older.exec(sql)
  for (const sql of statements) older.exec(sql)
  older.pragma(`user_version = ${number}`)
  older.close()
  db = openDatabase(path)
}

test('who hid their address before that was kept has an API email that does not tell it', () => {
  const insert = (id: number, name: string) =>
    `INSERT INTO users (user_id, email, delivery_email, full_name, role, api_key, date_joined)
     VALUES (${id}, '${name}@example.org', '${name}@example.org', '${name}', 400, '${name}', 0)`
  asOf(140, [
    insert(1, 'a'),
    insert(2, 'b'),
    "INSERT INTO user_settings VALUES (1, 'email_address_visibility', '4'), (2, 'email_address_visibility', '1')",
  ])
  expect(db.all('SELECT email, delivery_email FROM users ORDER BY user_id')).toEqual([
    { email: 'user1@hidden.invalid', delivery_email: 'a@example.org' },
    { email: 'b@example.org', delivery_email: 'b@example.org' },
  ])
})

test('whose messages are whose is the same after their rows came to be checked at the commit', () => {
  const message = (
    id: number,
  ) => `INSERT INTO messages (message_id, sender_id, channel_id, content, rendered, sent_at)
     VALUES (${id}, 1, 1, '', '', 0)`
  asOf(250, [
    `INSERT INTO users (user_id, email, delivery_email, full_name, role, api_key, date_joined)
     VALUES (1, 'a@example.org', 'a@example.org', 'A', 400, 'key', 0)`,
    message(1),
    message(2),
    "INSERT INTO user_messages VALUES (2, 1, 0, 1, 0, 'mentioned', 0), (1, 2, 0, 0, 1, '', 0), (1, 1, 1, 0, 0, '', 1)",
  ])
  const rows = () =>
    db
      .all('SELECT * FROM user_messages ORDER BY user_id, message_id')
      .map((row) => Object.values(row as object))
  expect(rows()).toEqual([
    [1, 1, 1, 0, 0, '', 1],
    [1, 2, 0, 0, 1, '', 0],
    [2, 1, 0, 1, 0, 'mentioned', 0],
  ])
  const own = 'INSERT OR FAIL INTO user_messages (user_id, message_id, is_read) VALUES (1, 7, 0), (2, 7, 0)'
  expect(() => db.transaction(() => db.run(own))).toThrow('FOREIGN KEY constraint failed')
  db.run('DELETE FROM messages WHERE message_id = 1')
  expect(rows()).toEqual([[1, 2, 0, 0, 1, '', 0]])
})

test('rows that a statement wrote before it failed are undone, alone of all that share a commit', async () => {
  person()
  const withRows = (content: string, ...userIds: number[]) =>
    db.grouped(() => {
      const { lastId } = db.run(
        `INSERT INTO messages (sender_id, channel_id, content, rendered, sent_at) VALUES (1, 1, ?, '', 0)`,
        content,
      )
      db.run(
        `INSERT OR FAIL INTO user_messages (user_id, message_id, is_read) VALUES (?, ?, 0), (?, ?, 0)`,
        ...userIds.flatMap((id) => [id, lastId]),
      )
    })
  const settled = await Promise.allSettled([
    withRows('one', 1, 2),
    withRows('twice the same', 3, 3),
    withRows('three', 4, 5),
  ])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(onDisk()).toEqual(['one', 'three'])
  expect(db.all('SELECT user_id FROM user_messages ORDER BY user_id')).toEqual(
    [1, 2, 4, 5].map((user_id) => ({ user_id })),
  )
})

test('a long log is moved into the file by a thread of its own while the file is in use', async () => {
  person()
  const before = statSync(path).size
  // What a transaction writes may be longer than what is kept in the log.
  for (let n = 0; n < 40; n++) write('x'.repeat(1024 * 1024))
  expect(statSync(path).size).toBe(before)
  await expect
    .poll(
      () => {
        write('a little')
        return statSync(path).size
      },
      { timeout: 10_000 },
    )
    .toBeGreaterThan(40 * 1024 * 1024)
  expect(onDisk()).toHaveLength(db.get<{ n: number }>('SELECT count(*) AS n FROM messages')?.n ?? 0)
})

test('a file that is closed leaves no log behind', () => {
  person()
  write('x'.repeat(1024 * 1024))
  db.close()
  expect(existsSync(`${path}-wal`)).toBe(false)
  db = openDatabase(path)
})
