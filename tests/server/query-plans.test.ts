import { expect, test } from 'vitest'
import { openDatabase } from '../../src-server/database.ts'
import { scansIn, watchedDatabase } from '../support/query-plans.ts'

const scansOf = (sql: string, ...parameters: string[]) => {
  const file = openDatabase(':memory:')
  const { database, statements } = watchedDatabase(file)
  database.all(sql, ...parameters)
  const scans = scansIn(file, statements)
  file.close()
  return scans.map((scan) => scan.split('\n')[0])
}

test('a statement that reads a large table row by row is found, by whatever name it calls the table', () => {
  expect(scansOf('SELECT 1 FROM messages WHERE content = ?', 'x')).toEqual(['SCAN messages'])
  expect(scansOf('SELECT 1 FROM users u JOIN user_messages um ON um.is_read = u.is_active')).toEqual([
    expect.stringMatching(/^SCAN um|^SEARCH um USING AUTOMATIC/),
  ])
  expect(scansOf('SELECT count(*) FROM reactions AS r')).toEqual([expect.stringMatching(/^SCAN r/)])
})

test('a statement that finds its rows by an index, or reads a small table, is not called a scan', () => {
  expect(scansOf('SELECT 1 FROM messages WHERE message_id = ?', '1')).toEqual([])
  expect(scansOf('SELECT 1 FROM messages WHERE sender_id = ?', '1')).toEqual([])
  expect(scansOf('SELECT * FROM linkifiers')).toEqual([])
})
