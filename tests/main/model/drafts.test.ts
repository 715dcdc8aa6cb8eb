import { describe, test } from 'vitest'
import { checkHistories } from './check.ts'
import { draftHistory, runDraftHistory, type DraftHistory } from './draft-history.ts'

test('whatever happens to devices and network, no word is lost and every device shows what the service has', async () => {
  await checkHistories('tests/main/model/drafts.test.ts', draftHistory, runDraftHistory, 450)
}, 3_600_000)

describe('histories that once went wrong', () => {
  const histories: Record<string, DraftHistory> = {
    'drafts switched off stay here and are saved when they are switched on': {
      devices: 2,
      steps: [
        { do: 'write', on: 0, to: 0 },
        { do: 'switch', on: 0, keep: false },
        { do: 'leave', on: 0, draft: 0 },
      ],
    },
    'a clock that is set back by a day holds no save back': {
      devices: 2,
      steps: [
        { do: 'write', on: 0, to: 0 },
        { do: 'skew', on: 0, ms: -86_400_000 },
        { do: 'edit', on: 1, draft: 0, how: 'append', at: 0 },
      ],
    },
    'what became of a save is asked before its events are heard': {
      devices: 2,
      steps: [
        { do: 'kill', on: 0, after: 1 },
        { do: 'write', on: 0, to: 0 },
        { do: 'kill', on: 0, after: 1 },
        { do: 'slow', on: 0, up: 0, down: 0, events: 12_000 },
        { do: 'edit', on: 1, draft: 0, how: 'append', at: 0 },
        { do: 'edit', on: 0, draft: 0, how: 'append', at: 0 },
      ],
    },
    'a save that is lost while its draft comes into conflict is looked up once that is settled': {
      devices: 2,
      steps: [
        { do: 'write', on: 1, to: 0 },
        { do: 'fault', on: 0, fault: 'lost-before', poll: false },
        { do: 'pass', ms: 6_000 },
        { do: 'edit', on: 0, draft: 0, how: 'prepend', at: 0 },
        { do: 'edit', on: 1, draft: 0, how: 'prepend', at: 0 },
        { do: 'pass', ms: 12_000 },
      ],
    },
    'a window types over words that came and were joined with what was not saved yet': {
      devices: 2,
      steps: [
        { do: 'write', on: 0, to: 1 },
        { do: 'pass', ms: 12_000 },
        { do: 'edit', on: 0, draft: 0, how: 'prepend', at: 0 },
        { do: 'edit', on: 1, draft: 0, how: 'append', at: 0 },
        { do: 'pass', ms: 2_600 },
        { do: 'readdress', on: 1, draft: 0, to: 0 },
        { do: 'edit', on: 1, draft: 0, how: 'prepend', at: 0, isBehind: true },
      ],
    },
    'a save of ours lands on top of the version it is in conflict with, and both are kept': {
      devices: 4,
      steps: [
        { do: 'write', on: 0, to: 0 },
        { do: 'pass', ms: 6_000 },
        { do: 'write', on: 1, to: 0 },
        { do: 'edit', on: 0, draft: 0, how: 'prepend', at: 0 },
        { do: 'edit', on: 2, draft: 0, how: 'prepend', at: 0 },
      ],
    },
    'a save asks first what the server has, since a queue may have died in silence': {
      devices: 2,
      steps: [
        { do: 'slow', on: 0, up: 0, down: 0, events: 3000 },
        { do: 'write', on: 0, to: 0 },
        { do: 'leave', on: 0, draft: 0 },
        { do: 'lose-queue', on: 0 },
        { do: 'edit', on: 0, draft: 0, how: 'append', at: 0, isBehind: false },
        { do: 'edit', on: 3, draft: 0, how: 'append', at: 0, isBehind: false },
        { do: 'leave', on: 3, draft: 0 },
      ],
    },
    'two devices paste more than the server keeps, and what it keeps of both is the same': {
      devices: 2,
      steps: [
        { do: 'write', on: 0, to: 0 },
        { do: 'leave', on: 0, draft: 0 },
        { do: 'paste', on: 0, draft: 0 },
        { do: 'paste', on: 1, draft: 0 },
        { do: 'restart', on: 0 },
        { do: 'edit', on: 0, draft: 0, how: 'prepend', at: 0 },
        { do: 'edit', on: 0, draft: 0, how: 'append', at: 0 },
      ],
    },
    'what is typed beyond the limit is not replaced by another device’s words': {
      devices: 2,
      steps: [
        { do: 'write', on: 0, to: 0 },
        { do: 'paste', on: 0, draft: 0 },
        { do: 'pass', ms: 12_000 },
        { do: 'edit', on: 0, draft: 0, how: 'insert', at: 0 },
        { do: 'edit', on: 1, draft: 0, how: 'append', at: 0 },
      ],
    },
    'a draft comes in a new queue while an answer of the lost one is repeated': {
      devices: 2,
      steps: [
        { do: 'slow', on: 0, up: 3_000, down: 0, events: 0 },
        { do: 'lose-queue', on: 0 },
        { do: 'pass', ms: 2_600 },
        { do: 'write', on: 1, to: 0 },
        { do: 'repeat', on: 0, poll: true },
        { do: 'pass', ms: 40_000 },
      ],
    },
  }
  test.each(Object.entries(histories))('%s', async (_name, history) => {
    await runDraftHistory(history)
  })
})
