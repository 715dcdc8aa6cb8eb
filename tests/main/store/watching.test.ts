import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openStore, type Store } from '../../../src-main/store/database.ts'
import { storage } from '../../../src-main/queries/storage.ts'
import { userId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { putMessage, removeMessages } from '../../../src-main/store/messages.ts'
import { insertDraft } from '../../../src-main/store/drafts.ts'
import { draftId } from '../../../src-shared/ids.ts'
import { messageFields } from '../../support/message-fields.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// A watched query runs again when its tables have changed, and only then.

/** Lets the queries run that are due. */
const pass = async () => {
  await turn()
  // Passes begin 16 ms apart.
  await sleep(20)
}

let directory: string
let store: Store
const log: string[] = []

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  store = openStore(join(directory, 'account.db'), (line) => log.push(line))
})
afterEach(() => store.close())

const put = (id: number) =>
  store.write((db) => putMessage(db, messageFields({ id, conversation: topicConversation(7, 'drift') }), 1))

test('what is on this device is counted anew whenever a message or a draft comes or goes', async () => {
  const seen: { messages: number; unsent: number; oldestAt: number | null }[] = []
  const context = { db: store.db, ownUserId: userId(1), now: 0 }
  const stop = store.watch(
    (db) => storage({ ...context, db }),
    (json) => seen.push(JSON.parse(json) as (typeof seen)[number]),
  )
  const now = async () => {
    await pass()
    return seen.at(-1)
  }
  expect(await now()).toMatchObject({ messages: 0, unsent: 0, oldestAt: null })
  put(5)
  expect(await now()).toMatchObject({ messages: 1, oldestAt: 5 })
  put(3)
  expect(await now()).toMatchObject({ messages: 2, oldestAt: 3 })
  store.write((db) => removeMessages(db, [3]))
  expect(await now()).toMatchObject({ messages: 1, oldestAt: 5 })
  store.write((db) => insertDraft(db, draftId('d1'), { recipient: null, content: 'words' }, 'edited', 0))
  expect(await now()).toMatchObject({ unsent: 1 })
  const times = seen.length
  store.write((db) => db.run("INSERT INTO account_settings VALUES ('color_scheme', '1')"))
  await pass()
  expect(seen).toHaveLength(times)
  stop()
})

test('a query sees one state of the file, whatever another connection writes while it runs', () => {
  const other = new Sqlite(join(directory, 'account.db'))
  const muted = () => store.db.column('SELECT user_id FROM muted_users')
  const seen: unknown[] = []
  store.watch(
    () => {
      const before = muted()
      other.exec('INSERT INTO muted_users VALUES (7, 0)')
      return [before, muted()]
    },
    (json) => seen.push(JSON.parse(json)),
  )()
  other.close()
  expect(seen).toEqual([[[], []]])
  expect(muted()).toEqual([7])
})

test('a query within a write, and one that fails, leave the next write its transaction', () => {
  const fails = () => {
    throw new Error('not now')
  }
  expect(() => store.watch(fails, () => {})).toThrow('not now')
  store.write((db) => {
    db.run('INSERT INTO muted_users VALUES (7, 0)')
    const seen: string[] = []
    store.watch(
      (own) => own.column('SELECT user_id FROM muted_users'),
      (json) => seen.push(json),
    )()
    expect(seen).toEqual(['[7]'])
    db.run('INSERT INTO muted_users VALUES (8, 0)')
  })
  expect(store.db.column('SELECT user_id FROM muted_users')).toEqual([7, 8])
})

test('a query that failed once is asked again', async () => {
  let fails = false
  const seen: string[] = []
  store.watch(
    (db) => {
      if (fails) throw new Error('not now')
      return db.get('SELECT count(*) AS n FROM messages')
    },
    (json) => seen.push(json),
  )
  fails = true
  put(1)
  await pass()
  expect(log.join('\n')).toContain('not now')
  fails = false
  put(2)
  await pass()
  expect(seen.at(-1)).toBe('{"n":2}')
})
