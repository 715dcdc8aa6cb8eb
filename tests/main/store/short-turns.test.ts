import Sqlite from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { plainChannel } from '../../../bench/workload.ts'
import { openAccountFile, prepareAccountFile } from '../../../src-main/store/account-file.ts'
import { keepOnlyChannels, putChannel, replaceSubscribers } from '../../../src-main/store/channels.ts'
import { openStore } from '../../../src-main/store/database.ts'
import { migrations } from '../../../src-main/store/migrations/index.ts'

// What takes long does so in steps, or asks for less: windows wait for each.

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'dunlin-turns-'))
  path = join(directory, 'account.db')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const opened = () => openAccountFile({ path, isDamaged: false, now: 1, log: () => {}, onDamage: () => {} })

test('a new file is made in steps, between which others have their turn, and one half made is finished', async () => {
  const forms: number[] = []
  const looked = () => {
    const file = new Sqlite(path, { readonly: true })
    forms.push(Number(file.pragma('user_version', { simple: true })))
    file.close()
    return Promise.resolve()
  }
  await prepareAccountFile(path, looked)
  expect(forms).toEqual(migrations.map(({ number }) => number))
  const { store, notice } = opened()
  expect(notice).toBe(null)
  store.close()
  for (const suffix of ['', '-journal', '.journal']) rmSync(`${path}${suffix}`, { force: true })

  let steps = 0
  const ended = prepareAccountFile(path, () =>
    ++steps < 3 ? Promise.resolve() : Promise.reject(new Error('the program ends')),
  )
  await expect(ended).rejects.toThrow()
  const half = opened()
  expect(half.notice).toBe(null)
  expect(half.store.db.get('PRAGMA user_version')).toEqual({ user_version: migrations.at(-1)?.number })
  half.store.close()
})

test('of channels that are gone the subscribers go too, and nobody else', () => {
  const store = openStore(path, () => {})
  const list = () =>
    store.db.column<string>(
      "SELECT channel_id || ':' || user_id FROM subscribers ORDER BY channel_id, user_id",
    )
  store.write((db) => {
    for (const id of [2, 4, 6]) putChannel(db, { ...plainChannel(id), isSubscribed: true })
    for (const id of [2, 4, 5, 6, 9]) replaceSubscribers(db, id, [1, 7])
    keepOnlyChannels(db, [2, 6, 8])
  })
  expect(store.db.column('SELECT channel_id FROM channels ORDER BY 1')).toEqual([2, 6])
  expect(list()).toEqual(['2:1', '2:7', '6:1', '6:7'])
  store.write((db) => keepOnlyChannels(db, []))
  expect(list()).toEqual([])
  store.write((db) => keepOnlyChannels(db, []))
  store.close()
})
