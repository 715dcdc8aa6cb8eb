import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { organizationTopics } from '../../../src-main/queries/channel-summary.ts'
import { writeRegistration } from '../../../src-main/store/cursor.ts'
import { openStore, type Store } from '../../../src-main/store/database.ts'
import { putOrganizationValue } from '../../../src-main/store/organization.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let directory: string
let store: Store

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  store = openStore(join(directory, 'a.db'), () => {})
})
afterEach(() => store.close())

test.each([
  // Before unnamed topics existed, nothing else was possible.
  [333, {}, 'required'],
  // The policy exists since level 392; before, there was a switch, which newer servers send too.
  [372, { realm_mandatory_topics: true }, 'required'],
  [372, { realm_mandatory_topics: false }, 'optional'],
  [420, { realm_topics_policy: 'disable_empty_topic', realm_mandatory_topics: true }, 'required'],
  [420, { realm_topics_policy: 'allow_empty_topic', realm_mandatory_topics: false }, 'optional'],
  [420, {}, 'optional'],
] as const)('at level %i with %j a topic is %s', (featureLevel, sent, expected) => {
  store.write((db) => {
    writeRegistration(db, {
      queueId: 'q',
      lastEventId: 0,
      generation: 1,
      featureLevel,
      speaksDialect: true,
      serverVersion: '',
      longpollTimeoutMs: 90_000,
      serverNow: null,
      now: 0,
    })
    for (const [name, value] of Object.entries(sent)) putOrganizationValue(db, name, value)
  })
  expect(organizationTopics(store.db)).toBe(expected)
})
