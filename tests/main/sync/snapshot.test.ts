import { join } from 'node:path'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { snapshot as snapshotForm } from '../../../src-shared/api/snapshot.ts'
import { userId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { setTopicVisibility } from '../../../src-main/store/topic-visibility.ts'
import { openStore, type Store } from '../../../src-main/store/database.ts'
import { readCursor } from '../../../src-main/store/cursor.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
import { createServerTime } from '../../../src-main/sync/server-time.ts'
import { writeSnapshot } from '../../../src-main/sync/snapshot.ts'
import { organizationFields } from '../../../src-main/sync/organization-fields.ts'
import { unusedState } from '../../../src-main/sync/unused-state.ts'
import { manualClock } from '../../fakes/clock.ts'
import { found, type Organization } from '../../support/organization.ts'
import { messageFields } from '../../support/message-fields.ts'
import { storeWith } from '../../support/store-with.ts'
import { wrongCounts } from '../../support/kept-counts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// Every field of a registration's answer is written by the app, or has a reason why not.

let org: Organization
let untold: string
beforeAll(async () => {
  org = await found({})
  untold = await fileAfter({})
})
afterAll(() => org.service.close())

const ada = { user_id: 1, email: '1@example.org', full_name: 'Ada' }
const later = {
  ...{ type: 'private', to: [1], content: 'again', rendered_content: '' },
  scheduled_delivery_timestamp: 1_900_000_000,
}

/** For each field, a value that changes the file. */
const written: Record<string, unknown> = {
  ...Object.fromEntries(
    organizationFields.map((field) => [field, field.startsWith('max_') ? 77 : 'of this field']),
  ),
  realm_default_streams: [7],
  server_typing_started_expiry_period_milliseconds: 77,
  server_typing_stopped_wait_period_milliseconds: 78,
  server_typing_started_wait_period_milliseconds: 79,
  server_presence_offline_threshold_seconds: 77,
  queue_id: 'another',
  last_event_id: 99,
  service_feature_level: 77,
  service_version: '9.9',
  speaks_dialect: null,
  event_queue_longpoll_timeout_seconds: 33,
  realm_users: [ada, { ...ada, user_id: 2, profile_data: { 4: { value: 'cook' } } }],
  realm_non_active_users: [{ ...ada, user_id: 3 }],
  cross_realm_bots: [{ ...ada, user_id: 4, is_bot: true }],
  subscriptions: [{ stream_id: 7, name: 'tides', color: '#112233', subscribers: [1] }],
  unsubscribed: [{ stream_id: 8, name: 'birds', color: '#112233' }],
  never_subscribed: [{ stream_id: 9, name: 'wind' }],
  channel_folders: [{ id: 1, name: 'Sea', order: 0 }],
  realm_user_groups: [{ id: 11, name: 'divers', members: [1], direct_subgroup_ids: [] }],
  user_topics: [{ stream_id: 7, topic_name: 'ebb', visibility_policy: 3 }],
  muted_topics: [['tides', 'flow', 5]],
  unread_msgs: { streams: [{ stream_id: 7, topic: 'ebb', unread_message_ids: [5] }] },
  starred_messages: null,
  recent_private_conversations: [{ user_ids: [2], max_message_id: 6 }],
  user_settings: { twenty_four_hour_time: true },
  muted_users: [{ id: 2, timestamp: 5 }],
  presences: { 2: { active_timestamp: 1_700_000_000, idle_timestamp: 0 } },
  server_timestamp: null,
  realm_emoji: { 1: { id: '1', name: 'tern', source_url: '/t.png' } },
  saved_snippets: [{ id: 3, title: 'Hello', content: 'Hello all', date_created: 1 }],
  realm_linkifiers: [{ id: 1, pattern: '#(?P<n>[0-9]+)', url_template: 'https://x.example/{n}' }],
  realm_playgrounds: [
    { id: 1, name: 'Try', pygments_language: 'Rust', url_template: 'https://x.example/{code}' },
  ],
  user_status: { 2: { status_text: 'at sea' } },
  alert_words: ['storm'],
  custom_profile_fields: [{ id: 4, type: 1, order: 1, name: 'Craft' }],
  realm_bots: [{ ...ada, user_id: 5, api_key: 'secret', bot_type: 1 }],
  scheduled_messages: [{ ...later, scheduled_message_id: 4 }],
  reminders: [{ ...later, reminder_id: 6, reminder_target_message_id: 5 }],
}

/**
 * Fields that change the file only in combination with messages, presence or channels, tested in people.test.ts and
 * trouble.test.ts, and a field derived from other fields' names, tested in dialect.test.ts.
 */
const testedElsewhere = ['starred_messages', 'server_timestamp', 'muted_topics', 'speaks_dialect']

const files = temporaryFolder(afterAll)
let fileCount = 0

/** Writes down a registration with these fields. */
function write(store: Store, fields: Record<string, unknown>, reapply = () => {}): Promise<void> {
  const clock = manualClock()
  return writeSnapshot({
    store,
    clock,
    signal: new AbortController().signal,
    ownUserId: userId(1),
    serverTime: createServerTime(() => clock.now()),
    snapshot: snapshotForm.parse({ queue_id: 'q', last_event_id: -1, ...fields }),
    unreadable: [],
    before: readCursor(store.db),
    reapply,
    finish: () => {},
  })
}

/** All rows of the file after a registration with these fields. */
async function fileAfter(fields: Record<string, unknown>): Promise<string> {
  const store = openStore(join(files, `${fileCount++}.db`), () => {})
  await write(store, { realm_users: [ada], ...fields })
  const tables = store.db.all<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`,
  )
  const content = JSON.stringify(tables.map(({ name }) => [name, store.db.all(`SELECT * FROM ${name}`)]))
  store.close()
  return content
}

test.each(Object.keys(written).filter((field) => !testedElsewhere.includes(field)))(
  '%s is written down',
  async (field) => {
    expect(await fileAfter({ [field]: written[field] })).not.toBe(untold)
  },
)

test('nothing that a registration of the service tells is without a writer or a reason', async () => {
  const { state } = await org.owner.listen()
  const told = Object.keys(state).map((field) =>
    field.replace(/^zulip_(?=version|feature|merge)/, 'service_'),
  )
  const known = new Set([...Object.keys(written), ...Object.keys(unusedState)])
  expect(told.length).toBeGreaterThan(100)
  expect(told.filter((field) => !known.has(field))).toEqual([])
})

test('nothing is both written and passed over, and every field of the form is one of them', () => {
  expect(Object.keys(written).filter((field) => Object.hasOwn(unusedState, field))).toEqual([])
  const form = Object.keys(snapshotForm.out.shape)
  expect(
    form.filter((field) => !Object.hasOwn(written, field) && !Object.hasOwn(unusedState, field)),
  ).toEqual([])
})

test('while it is written, step by step, what waits here is never out of sight', async () => {
  const directory = temporaryFolder(onTestFinished)
  const store = openStore(join(directory, 'a.db'), () => {})
  const clock = manualClock()
  // A waiting change.
  const reapply = () => store.write((db) => setTopicVisibility(db, 9, 'waiting', 'muted'))
  reapply()
  const seen: string[] = []
  store.watch(
    (db) => db.all('SELECT channel_id, topic FROM topic_visibility'),
    (json) => seen.push(json),
  )
  let transactions = 0
  const counted = storeWith(store, {
    write(work) {
      transactions++
      const result = store.write(work)
      expect(store.db.get('SELECT 1 FROM topic_visibility WHERE channel_id = 9')).toBeDefined()
      return result
    },
  })
  await writeSnapshot({
    store: counted,
    clock,
    signal: new AbortController().signal,
    ownUserId: userId(1),
    serverTime: createServerTime(() => clock.now()),
    snapshot: snapshotForm.parse({
      ...written,
      queue_id: 'q',
      last_event_id: -1,
      starred_messages: [],
      server_timestamp: 1,
    }),
    unreadable: [],
    before: readCursor(store.db),
    reapply,
    finish: reapply,
  })
  expect(transactions).toBeGreaterThan(1)
  await turn()
  // Passes of watched queries begin 16 ms apart.
  await sleep(20)
  expect(seen.every((json) => json.includes('waiting'))).toBe(true)
  expect(seen.at(-1)).toContain('ebb')
  store.close()
})

test('what is unread is replaced without a moment in which some of it is counted', async () => {
  const directory = temporaryFolder(onTestFinished)
  const store = openStore(join(directory, 'a.db'), () => {})
  const clock = manualClock()
  const unreadIn = (topics: number, from: number) =>
    snapshotForm.parse({
      queue_id: 'q',
      last_event_id: -1,
      unread_msgs: {
        streams: Array.from({ length: topics }, (_, topic) => ({
          stream_id: 7,
          topic: `topic ${topic}`,
          unread_message_ids: [from + topic * 2, from + topic * 2 + 1],
        })),
        mentions: [from],
      },
    })
  const counted = () =>
    store.db.get(
      'SELECT sum(unread_count) AS unread, sum(mention_count) AS mentions, max(newest_message_id) AS newest FROM conversations',
    )
  const seen = new Set<string>()
  const write = async (topics: number, from: number) => {
    seen.clear()
    await writeSnapshot({
      store: storeWith(store, {
        write(work) {
          const result = store.write(work)
          const { unread } = store.db.get<{ unread: number | null }>(
            'SELECT sum(unread_count) AS unread FROM conversations',
          ) ?? { unread: null }
          seen.add(String(unread ?? 0))
          return result
        },
      }),
      clock,
      signal: new AbortController().signal,
      ownUserId: userId(1),
      serverTime: createServerTime(() => clock.now()),
      snapshot: unreadIn(topics, from),
      unreadable: [],
      before: readCursor(store.db),
      reapply: () => {},
      finish: () => {},
    })
  }
  // More than are compared in one step.
  await write(2_900, 1)
  expect([...seen]).toEqual(['0', '5800'])
  expect(counted()).toEqual({ unread: 5_800, mentions: 1, newest: 5_800 })
  // Some have been read, and some are new.
  await write(1_600, 2_601)
  expect([...seen]).toEqual(['5800', '3200'])
  expect(counted()).toEqual({ unread: 3_200, mentions: 1, newest: 5_800 })
  expect(store.db.get('SELECT count(*) AS n, min(message_id) AS first FROM unread')).toEqual({
    n: 3_200,
    first: 2_601,
  })
  expect(wrongCounts(store.db)).toEqual([])
  store.close()
})

test('stars are replaced some at a time', async () => {
  const store = openStore(join(temporaryFolder(onTestFinished), 'a.db'), () => {})
  onTestFinished(() => store.close())
  const conversation = topicConversation(7, 'ebb')
  store.write((db) => {
    for (let id = 1; id <= 200; id++)
      putMessage(db, messageFields({ id, conversation, isStarred: id <= 80 }), 1)
  })
  const starred = () => store.db.column<number>('SELECT message_id FROM messages WHERE is_starred = 1')
  const wanted = Array.from({ length: 120 }, (_, index) => 71 + index)
  const counts: number[] = []
  // Each step takes longer than a transaction may.
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 5))
  onTestFinished(() => void vi.restoreAllMocks())
  // One is not here.
  await write(store, { starred_messages: [...wanted, 900] }, () => void counts.push(starred().length))
  expect(starred()).toEqual(wanted)
  expect([...new Set(counts)]).toEqual([80, 30, 10, 50, 100, 120])
})
