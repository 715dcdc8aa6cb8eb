import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { plainChannel } from '../../bench/workload.ts'
import { userId } from '../../src-shared/ids.ts'
import { countedUpTo } from '../../src-shared/model/search-results.ts'
import { directConversation, topicConversation } from '../../src-shared/model/conversation.ts'
import { searchFacets } from '../../src-main/queries/search-facets.ts'
import { search, searchInside } from '../../src-main/queries/search.ts'
import { putChannel } from '../../src-main/store/channels.ts'
import { openStore, type Store } from '../../src-main/store/database.ts'
import { putMessage, removeMessages, setContent } from '../../src-main/store/messages.ts'
import { leaveTraces, moveMessages } from '../../src-main/store/moves.ts'
import { migrations } from '../../src-main/store/migrations/index.ts'
import { termsWithin } from '../../src-main/store/vocabulary.ts'
import { messageFields } from '../support/message-fields.ts'
import { emptyCache } from '../support/empty-cache.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Finds words by a part, through the vocabulary, which is gathered in addition to the word index.

let directory: string
let path: string
let store: Store

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  path = join(directory, 'account.db')
  store = openStore(path, () => {})
})

afterEach(() => store.close())

const tides = topicConversation(3, 'tides')
const maps = topicConversation(4, 'maps')
const context = () => ({ db: store.db, ownUserId: userId(1), now: 1_000 })

let lastId = 0
beforeEach(() => (lastId = 0))

const fields = (text: string, conversation = tides, senderId = 7) =>
  messageFields({
    id: ++lastId,
    conversation,
    senderId,
    senderName: 'Maren',
    contentHtml: `<p>${text}</p>`,
  })
const put = (...texts: string[]) =>
  store.write((db) => texts.forEach((text) => putMessage(db, fields(text), 1)))
const inside = (text: string) => searchInside(context(), text, 50).results.map(({ excerpt }) => excerpt)
const whole = (text: string) => search(context(), text, 50).results.map(({ excerpt }) => excerpt)
const marked = (text: string) =>
  searchInside(context(), text, 50).results.map(({ excerpt, matches }) =>
    matches.map(([start, end]) => excerpt.slice(start, end)).join(' '),
  )
/** Waits until the last written words are in the vocabulary. */
const gathered = async () => {
  put('xgatheredx')
  await expect.poll(() => inside('gathered')).toEqual(['xgatheredx'])
}

test('a part of a word finds it in many scripts, newest first', async () => {
  put('the breakwater', 'Größenänderung', 'переговоры', 'Καλημέρα', 'snake_case and camelCaseWord', 'v2beta1')
  put('seawater', '東京タワーで会う', '내일회의합니다', 'water alone')
  await gathered()
  expect(inside('water')).toEqual(['seawater', 'the breakwater'])
  expect(whole('water')).toEqual(['water alone'])
  expect(inside('SSENA')).toEqual([])
  expect(inside('ÖSSEN')).toEqual([])
  expect(inside('enander')).toEqual(['Größenänderung'])
  expect(inside('ßenÄnd')).toEqual(['Größenänderung'])
  expect(inside('говор')).toEqual(['переговоры'])
  expect(inside('ημερ')).toEqual([])
  expect(inside('ημέρ')).toEqual(['Καλημέρα'])
  expect(inside('casew')).toEqual(['snake_case and camelCaseWord'])
  expect(inside('2beta')).toEqual(['v2beta1'])
  // Letters of scripts without spaces are words of their own.
  expect(whole('京タワ')).toEqual(['東京タワーで会う'])
  expect(whole('会う')).toEqual(['東京タワーで会う'])
  expect(whole('京東')).toEqual([])
  expect(whole('회의')).toEqual(['내일회의합니다'])
})

test('signs within what is typed say that it stands together', async () => {
  put('see https://docs.example.org/logbook/7', 'docs for example, org charts, logs', 'foo.bar_baz(1)')
  put('barefoo.bar_bazaar', 'foobar baz')
  await gathered()
  expect(inside('ample.org/log')).toEqual(['see https://docs.example.org/logbook/7'])
  expect(inside('efoo.bar_baz')).toEqual(['barefoo.bar_bazaar'])
  expect(marked('ample.org/log')).toEqual(['ample.org/log'])
  // The word itself is found as before, and not twice.
  expect(whole('foo.bar_baz')).toEqual(['foo.bar_baz(1)'])
  expect(inside('foo.bar_baz')).toEqual(['barefoo.bar_bazaar'])
})

test('what joined words end with may begin a longer word, or be very short', async () => {
  put('see myexample.orgs/logbook', 'see myexample.org/logs', 'see myexample.org/l', 'see example.org/x')
  await gathered()
  expect(inside('ample.org/log')).toEqual(['see myexample.org/logs'])
  expect(inside('ample.org/l')).toEqual(['see myexample.org/l', 'see myexample.org/logs'])
  expect(inside('ample.org see')).toEqual([
    'see example.org/x',
    'see myexample.org/l',
    'see myexample.org/logs',
    'see myexample.orgs/logbook',
  ])
})

test('each of several words may be a part, and short ones are words as before', async () => {
  put('breakwater repaired', 'water is repaired', 'breakwater of stone', 'breakwater offshore')
  await gathered()
  expect(inside('water pair')).toEqual(['water is repaired', 'breakwater repaired'])
  expect(inside('water of')).toEqual(['breakwater offshore', 'breakwater of stone'])
  expect(inside('water of ')).toEqual(['breakwater of stone'])
  expect(inside('"water" pair')).toEqual(['water is repaired'])
  expect(inside('"break"')).toEqual([])
  expect(inside('"reakwater of"')).toEqual([])
  expect(inside('at')).toEqual([])
})

test('where a word begins with what is typed, it is found once', async () => {
  put('waterline', 'underwater', 'underwater waterline')
  await gathered()
  expect(whole('water')).toEqual(['underwater waterline', 'waterline'])
  expect(inside('water')).toEqual(['underwater'])
  // The space ends the word.
  expect(whole('water ')).toEqual([])
  expect(inside('water ')).toEqual(['underwater waterline', 'underwater', 'waterline'])
})

test('conditions hold for parts of words too, and what may be seen is what words find', async () => {
  store.write((db) => {
    putMessage(db, fields('breakwater'), 1)
    putMessage(db, fields('seawater', maps, 8), 1)
    putMessage(db, fields('groundwater', directConversation([8], userId(1)), 8), 1)
    putChannel(db, { ...plainChannel(3), name: 'gauges', isSubscribed: true })
    putChannel(db, { ...plainChannel(4), name: 'sheets', isSubscribed: true })
  })
  await gathered()
  expect(inside('water')).toEqual(['groundwater', 'seawater', 'breakwater'])
  expect(inside('channel:gauges water')).toEqual(['breakwater'])
  expect(inside('-channel:gauges water')).toEqual(['groundwater', 'seawater'])
  expect(inside('topic:maps water')).toEqual(['seawater'])
  expect(inside('is:dm water')).toEqual(['groundwater'])
  expect(inside('is:starred water')).toEqual([])
  expect(inside('channel:nowhere water')).toEqual([])
  expect(inside('channel:gauges')).toEqual([])
  const facets = searchFacets(context(), 'water')
  expect(facets.channels.map(({ operand, count }) => [operand, count])).toEqual([
    ['sheets', 1],
    ['gauges', 1],
  ])
})

test('edited, moved and removed messages are found by what they are now', async () => {
  put('breakwater', 'seawater', 'dunes')
  await gathered()
  store.write((db) => {
    setContent(db, 1, '<p>earthwork</p>', { contentMarkdown: null, editedAt: 9, isMeMessage: null })
    removeMessages(db, [2])
    moveMessages(db, [3], tides, topicConversation(4, 'groundwater'))
    leaveTraces(db, [3], { movedAt: 9, change: null })
  })
  await expect.poll(() => inside('thwork')).toEqual(['earthwork'])
  expect(inside('water')).toEqual(['dunes'])
})

test('marks fall on the part within the word, with its accents', async () => {
  put('The breakwaters and the seawater', 'Die Größenänderung von gestern')
  await gathered()
  expect(marked('water')).toEqual(['water water'])
  expect(marked('enander')).toEqual(['enänder'])
})

test('what was gathered is there after a restart, and what was not is gathered then', async () => {
  put('breakwater')
  await gathered()
  // Not gathered before the store closes.
  put('seawater')
  store.close()
  store = openStore(path, () => {})
  expect(inside('water')).toEqual(['seawater', 'breakwater'])
})

test('after a run that was cut off, the words are gathered from the index', async () => {
  put('breakwater', 'seawater')
  const copy = join(directory, 'copy.db')
  // The file as a kill leaves it: nothing was gathered, and nothing closed it.
  new Sqlite(path).exec(`VACUUM INTO '${copy}'`).close()
  store.close()
  store = openStore(copy, () => {})
  await expect.poll(() => inside('water')).toEqual(['seawater', 'breakwater'])
})

test('a search that is open hears of words that were gathered later', async () => {
  const answers: string[] = []
  store.watch(
    () => inside('water'),
    (json) => answers.push(json),
  )
  put('breakwater')
  await expect.poll(() => answers.at(-1), { timeout: 20_000 }).toBe('["breakwater"]')
})

test('many messages at once are gathered from the index', async () => {
  store.write((db) => {
    for (let n = 0; n < 2_200; n++) putMessage(db, fields(`reading${n}metres`), 1)
  })
  await expect.poll(() => inside('2199metre')).toEqual(['reading2199metres'])
  await expect.poll(() => inside('ading1metre')).toEqual(['reading1metres'])
})

test('a file of an older version has its words gathered, and is searched as before until then', async () => {
  store.close()
  const old = join(directory, 'old.db')
  const before = migrations.filter(({ number }) => number < 170)
  store = openStore(old, () => {}, { steps: before })
  // Messages are written as they are today, with what that version called otherwise or did not have.
  store.write((db) => {
    db.run('ALTER TABLE messages RENAME COLUMN is_read TO unused_is_read')
    db.run('CREATE TABLE conversation_sizes (conversation_id INTEGER PRIMARY KEY, message_count INTEGER)')
  })
  const insert = (id: number, text: string) => {
    store.write((db) => {
      putMessage(db, { ...fields(text), id }, 1)
      // As that version wrote it: letters that should stand alone are joined.
      db.run('DELETE FROM message_words WHERE rowid = ?', [id])
      db.run('INSERT INTO message_words (rowid, words, filters) VALUES (?, ?, ?)', [
        id,
        `${text} tides`,
        'c3 u7 v1',
      ])
    })
  }
  insert(1, 'breakwater')
  for (let id = 2; id <= 60; id++) insert(id, '東京タワーで会う')
  store.write((db) => {
    db.run('ALTER TABLE messages RENAME COLUMN unused_is_read TO is_read')
    db.run('DROP TABLE conversation_sizes')
  })
  store.close()
  store = openStore(old, () => {})
  expect(whole('break')).toEqual(['breakwater'])
  expect(whole('東京')).toHaveLength(50)
  await expect.poll(() => inside('water')).toEqual(['breakwater'])
  await expect.poll(() => search(context(), 'タワー', 50).total).toBe(59)
  expect(search(context(), '東京', 50).total).toBe(59)
})

test('as many are counted as a screen shows, of words, phrases and parts alike, and it is told that there are more', async () => {
  const counted = (text: string) => {
    const { total, hasMore } = search(context(), text, 20)
    return { total, hasMore }
  }
  const countedInside = (text: string) => {
    const { total, hasMore } = searchInside(context(), text, 20)
    return { total, hasMore }
  }
  put(...Array.from({ length: countedUpTo }, () => 'high seawater'))
  await gathered()
  const all = { total: countedUpTo, hasMore: false }
  expect([counted('high'), counted('"high seawater"'), counted('sender:me')]).toEqual([
    all,
    all,
    { total: 0, hasMore: false },
  ])
  expect(countedInside('eawat')).toEqual(all)
  put('high seawater')
  const more = { total: countedUpTo, hasMore: true }
  expect([counted('high'), counted('"high seawater"'), countedInside('eawat')]).toEqual([more, more, more])
  // Facets are counted further than results.
  expect(searchFacets(context(), '"high seawater"').senders[0]?.count).toBe(countedUpTo + 1)
})

test('among very many messages those with a phrase are counted no further than they are shown', () => {
  put(...Array.from({ length: countedUpTo }, () => 'high seawater'))
  // The index begins with its number of messages, seven bits per byte: 200,000, and 200,001.
  const pretend = (...groups: number[]) => {
    // Only an unsafe connection may write to an index's own tables.
    const file = new Sqlite(path).unsafeMode()
    file.prepare('UPDATE message_words_data SET block = ? WHERE id = 1').run(Uint8Array.from(groups))
    file.close()
  }
  const counted = (text: string, limit: number) => {
    const { total, hasMore } = search(context(), text, limit)
    return [total, hasMore]
  }
  pretend(0x8c, 0x9a, 0x40)
  expect(search(context(), 'high', 1).messagesOnDevice).toBe(200_000)
  expect(counted('"high seawater"', 20)).toEqual([countedUpTo, false])
  pretend(0x8c, 0x9a, 0x41)
  expect(search(context(), 'high', 1).messagesOnDevice).toBe(200_001)
  expect(counted('"high seawater"', 20)).toEqual([50, true])
  expect(counted('"high seawater" ', 60)).toEqual([60, true])
  expect(counted('"high seawater"', countedUpTo)).toEqual([countedUpTo, false])
  expect(counted('"seawater"', 20)).toEqual([countedUpTo, false])
  expect(counted('high seawater', 20)).toEqual([countedUpTo, false])
})

test('an emptied cache forgets the words, and learns them anew', async () => {
  put('breakwater')
  await gathered()
  store.write(emptyCache)
  expect(store.db.get('SELECT * FROM vocabulary')).toBeUndefined()
  put('seawater')
  await expect.poll(() => inside('water')).toEqual(['seawater'])
})

const hostile: readonly (readonly [name: string, text: string])[] = [
  ['a quote', '"'],
  ['an empty phrase', '""'],
  ['a star', '*'],
  ['an open phrase', 'water"'],
  ['a beginning', '^water'],
  ['an operator', 'water* OR words:'],
  ['a column', 'words : water'],
  ['columns', '{words filters} : water'],
  ['a distance', 'NEAR(water sea, 2)'],
  ['signs before words', '-water +sea'],
  ['SQL', "'; DROP TABLE vocabulary; --"],
  ['wildcards', '%_%'],
  ['only signs', '…—„“!?/.'],
  ['emoji', '👍🏽🎉'],
  ['control characters', '\0water\0'],
  ['half a character', '\ud83d'],
  ['a very long word', 'water'.repeat(2_000)],
  ['very many words', 'ater '.repeat(2_000)],
  ['very many words joined', 'a/'.repeat(5_000)],
  ['very many dots', '.'.repeat(10_000)],
  ['very many accents', `x${'\u0301'.repeat(9_999)}`],
  ['a very long sentence', '東'.repeat(10_000)],
]

test('nothing that can be typed makes a search fail', () => {
  put('breakwater', 'sea')
  for (const [name, text] of hostile) {
    const all = () => [
      search(context(), text, 50),
      searchInside(context(), text, 50),
      searchFacets(context(), text),
    ]
    expect(all, name).not.toThrow()
  }
})

test('a part that thousands of words have is looked for in the most frequent and the newest of them', async () => {
  store.write((db) => {
    // Many at once, because words that are gathered message by message count as new.
    for (let n = 0; n < 100; n++) putMessage(db, fields('determinate'), 1)
    for (let n = 0; n < 2_100; n++) putMessage(db, fields(`a${1_000 + n}terminal`), 1)
  })
  await expect.poll(() => inside('eterminat').length).toBe(50)
  await expect.poll(() => termsWithin(store.db, 'ermin', 'inside', 128)).toHaveLength(128)
  expect(termsWithin(store.db, 'ermin', 'inside', 128)[0]).toBe('determinate')
  put('bterminus')
  await expect.poll(() => inside('ermin')[0]).toBe('bterminus')
  // Facets count everything that is found.
  expect(searchFacets(context(), 'ermin').senders[0]?.count).toBeLessThan(300)
})
