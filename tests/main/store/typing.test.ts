import fc from 'fast-check'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { userId } from '../../../src-shared/ids.ts'
import type { Connection } from '../../../src-main/api/connection.ts'
import { createDrafts } from '../../../src-main/drafts/drafts.ts'
import { keepsDrafts } from '../../../src-main/drafts/keeps-drafts.ts'
import { openStore, type ReadableDb } from '../../../src-main/store/database.ts'
import { storeWith } from '../../support/store-with.ts'
import { putSettingValue } from '../../../src-main/store/account-settings.ts'
import { draftById, putDraft } from '../../../src-main/store/drafts.ts'

// A keystroke takes a single statement where possible. The result must be the same as with the full write.

const texts = fc.constantFrom(
  'ebb',
  ' ebb',
  'ebb ',
  '\n ebb\n',
  'ebb and flow',
  'flow',
  '\n \nebb and flow',
  ' ',
)
const recipients = fc.constantFrom(null, {
  kind: 'topic' as const,
  channelId: 3 as never,
  topic: 'tides',
})

const noFiles = { linkedSoFar: (text: string) => text, isUploading: () => false, onSettled: () => () => {} }

test('typing with the text it grew from and without it leaves the same row', () => {
  const store = openStore(':memory:', () => {})
  const end = new AbortController()
  let now = 1_000
  let keepsDrafts = true
  const drafts = createDrafts({
    store,
    // Never called: the account is offline.
    connection: {} as Connection,
    clock: { now: () => now, random: () => 0.5, wait: () => new Promise(() => {}) },
    ownUserId: userId(1),
    signal: end.signal,
    files: noFiles,
    log: () => {},
    keepsDrafts: () => keepsDrafts,
    catchUp: async () => {},
    findTopics: () => {},
    registerAnew: async () => {},
  })
  const draft = fc.record({ recipient: recipients, content: texts })
  fc.assert(
    fc.property(
      draft,
      fc.option(draft),
      fc.constantFrom('edited' as const, 'synced' as const, 'saving' as const, 'local-only' as const),
      fc.array(fc.record({ recipient: recipients, content: texts, isOn: fc.boolean() }), { maxLength: 4 }),
      (first, base, state, typed) => {
        const rows = ([false, true] as const).map((withBasis) => {
          keepsDrafts = true
          now = 1_000
          const { draftId } = drafts.save(null, { ...first, content: 'x' })
          const made = draftById(store.db, draftId)
          if (made === undefined) throw new Error('not made')
          store.write((db) =>
            putDraft(db, { ...made, local: first, base, state, saving: state === 'saving' ? first : null }),
          )
          for (const { isOn, ...next } of typed) {
            now += 100
            keepsDrafts = isOn
            const before = draftById(store.db, draftId)?.local
            if (withBasis) drafts.save(draftId, next, before?.content ?? null, before?.recipient ?? null)
            else drafts.save(draftId, next, null)
          }
          return { ...draftById(store.db, draftId), id: '' }
        })
        expect(rows[1]).toEqual(rows[0])
      },
    ),
    { numRuns: 1_000 },
  )
  end.abort()
  store.close()
})

test('the saver sleeps on while somebody types on, and looks again at whatever else becomes of a draft', async () => {
  const store = openStore(':memory:', () => {})
  const end = new AbortController()
  let looks = 0
  const drafts = createDrafts({
    store,
    // Never called: the clock stands still, so nothing becomes due.
    connection: {} as Connection,
    clock: {
      now: () => 1_000_000,
      random: () => 0.5,
      wait(_ms, signal) {
        looks++
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
      },
    },
    ownUserId: userId(1),
    signal: end.signal,
    files: noFiles,
    log: () => {},
    keepsDrafts: () => true,
    catchUp: async () => {},
    findTopics: () => {},
    registerAnew: async () => {},
  })
  drafts.setOnline(true)
  let text = 'e'
  const { draftId } = drafts.save(null, { recipient: null, content: text })
  const type = (next: string) => {
    drafts.save(draftId, { recipient: null, content: next }, text)
    text = next
  }
  const looked = async (work: () => void) => {
    await turn()
    await turn()
    const before = looks
    work()
    await turn()
    await turn()
    return looks - before
  }
  const change = (part: object) => {
    const row = draftById(store.db, draftId)
    if (row === undefined) throw new Error('not made')
    store.write((db) => putDraft(db, { ...row, ...part }))
  }

  expect(await looked(() => type('eb'))).toBe(0)
  expect(
    await looked(() => {
      type('ebb')
      type('ebb ')
    }),
  ).toBe(0)
  expect(await looked(() => change({ attempts: 1 }))).toBe(1)
  expect(
    await looked(() => {
      change({ attempts: 2 })
      type('ebb a')
    }),
  ).toBe(1)
  expect(
    await looked(() => {
      type('ebb an')
      change({ attempts: 3 })
    }),
  ).toBe(1)
  expect(await looked(() => type('ebb and'))).toBe(0)
  const refusal = { recipient: null, content: text, reason: 'no' }
  expect(await looked(() => change({ refusal }))).toBe(1)
  expect(await looked(() => type('ebb and flow'))).toBe(1)
  end.abort()
  store.close()
})

test('whoever types on has nothing read, until something else becomes of a draft or of whether they are kept', async () => {
  const store = openStore(':memory:', () => {})
  store.write((db) => db.run('UPDATE sync SET feature_level = 400'))
  let reads = 0
  const counted: ReadableDb = {
    ...store.db,
    get(sql, parameters) {
      reads++
      return store.db.get(sql, parameters)
    },
  }
  const counting = storeWith(store, { db: counted })
  const end = new AbortController()
  const drafts = createDrafts({
    store: counting,
    // Never called: the account is offline.
    connection: {} as Connection,
    clock: { now: () => 1_000, random: () => 0.5, wait: () => new Promise(() => {}) },
    ownUserId: userId(1),
    signal: end.signal,
    files: noFiles,
    log: () => {},
    keepsDrafts: () => keepsDrafts(counted),
    catchUp: async () => {},
    findTopics: () => {},
    registerAnew: async () => {},
  })
  let text = 'e'
  const { draftId } = drafts.save(null, { recipient: null, content: text })
  /** How often the file is read while this many letters are typed. */
  const readsWhile = async (letters: number) => {
    await turn()
    const before = reads
    for (let letter = 0; letter < letters; letter++) {
      drafts.save(draftId, { recipient: null, content: `${text}b` }, text)
      text += 'b'
      await turn()
    }
    expect(draftById(store.db, draftId)?.local.content).toBe(text)
    return reads - before
  }
  expect(await readsWhile(1)).toBe(1)
  expect(await readsWhile(5)).toBe(0)
  store.write((db) =>
    db.run('UPDATE drafts SET attempts = attempts + 1, change_number = ?', [db.changeNumber]),
  )
  expect(await readsWhile(1)).toBe(1)
  expect(await readsWhile(5)).toBe(0)
  store.write((db) => putSettingValue(db, 'draftsSynchronized', false))
  await readsWhile(1)
  expect(draftById(store.db, draftId)?.state).toBe('local-only')
  end.abort()
  store.close()
})
