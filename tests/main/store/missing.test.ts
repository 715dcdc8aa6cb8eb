import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { openStore, type Store, type WritableDb } from '../../../src-main/store/database.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
import { addRange, rangesOf } from '../../../src-main/store/ranges.ts'
import {
  cameOtherwise,
  leaveHoles,
  nextMissing,
  settleMissing,
  wantMessages,
  wantSomeUnread,
  wantUnread,
} from '../../../src-main/store/missing.ts'
import { messageFields } from '../../support/message-fields.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let directory: string
let store: Store

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  store = openStore(join(directory, 'account.db'), () => {})
})
afterEach(() => store.close())

const putUnread = (first: number, last: number) =>
  store.write((db) => {
    for (let id = first; id <= last; id++) db.run('INSERT INTO unread VALUES (?, 1, 0)', [id])
  })

/** How the statements of some work find the rows of the tables that may be long. */
function plansOf(work: (db: WritableDb) => void): string[] {
  const seen = new Set<string>()
  store.write((db) => {
    const noting =
      <R>(run: (sql: string, parameters?: never) => R) =>
      (sql: string, parameters?: never) => {
        seen.add(sql)
        return run(sql, parameters)
      }
    // The row type stays the caller's promise.
    work({ ...db, run: noting(db.run as never), all: noting(db.all as never) as WritableDb['all'] })
  })
  return [...seen]
    .flatMap((sql) =>
      store.db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, sql.includes('?') ? ['[]'] : []),
    )
    .map(({ detail }) => detail)
    .filter((detail) => /\b(missing_messages|unread|m)\b/.test(detail))
}

test('however many messages are missing, a batch is queued and settled by its keys', () => {
  for (const plans of [plansOf((db) => wantUnread(db, [1, 2])), plansOf((db) => settleMissing(db, [1, 2]))]) {
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.filter((plan) => plan.startsWith('SCAN'))).toEqual([])
  }
})

test('messages that come one after another to either end of a complete narrow are part of it once they are here', () => {
  const key = 'topic:3:ebb'
  const whole = { oldestId: 100, newestId: 200, reachesBeginning: true, isLive: true }
  store.write((db) => {
    addRange(db, key, whole)
    for (const id of [50, 20, 300, 400]) leaveHoles(db, [id], [key])
    settleMissing(db, [50, 300])
  })
  expect(rangesOf(store.db, key)).toEqual([{ ...whole, reachesBeginning: false, isLive: false }])
  store.write((db) => settleMissing(db, [20, 400]))
  expect(rangesOf(store.db, key)).toEqual([{ ...whole, oldestId: 20, newestId: 400 }])
})

test('all unread messages without text are queued, some at a time', () => {
  putUnread(1, 10)
  store.write((db) =>
    putMessage(db, messageFields({ id: 4, conversation: topicConversation(3, 'x'), isRead: false }), 1),
  )
  const steps: (number | null)[] = []
  for (let before: number | null = 11; before !== null;) {
    before = store.write((db) => wantSomeUnread(db, before ?? 0, 4))
    steps.push(before)
  }
  expect(steps).toEqual([7, 3, null])
  expect(nextMissing(store.db, 100, [])).toEqual([10, 9, 8, 7, 6, 5, 3, 2, 1])
})

test('a queued message that came in another way is not asked for, unless what is here of it may be wrong', () => {
  const conversation = topicConversation(3, 'x')
  store.write((db) => {
    putMessage(db, messageFields({ id: 4, conversation }), 1)
    putMessage(db, messageFields({ id: 5, conversation }), 0)
    wantMessages(db, [4, 5, 6])
  })
  expect(cameOtherwise(store.db, [4, 5, 6])).toEqual([4])
})
