import { test } from 'vitest'
import { checkHistories } from './check.ts'
import { quarrelHistory, runDraftHistory, typingHistory } from './draft-history.ts'

// Separate from drafts.test.ts, so that both run in parallel.
const file = 'tests/main/model/quarrels.test.ts'

test('where nothing ends a draft, every word stays in one', async () => {
  await checkHistories(`${file} -t 'nothing ends'`, typingHistory, runDraftHistory, 355)
}, 3_600_000)

test('devices that write over each other while answers get lost keep the words of both', async () => {
  await checkHistories(`${file} -t 'write over'`, quarrelHistory, runDraftHistory, 355)
}, 3_600_000)
