import { describe, test } from 'vitest'
import { checkHistories } from './check.ts'
import { laterHistory, runLaterHistory, soloLater, type LaterHistory } from './later-history.ts'

const file = 'tests/main/model/later.test.ts'

test('whatever happens to devices and network, scheduled messages, reminders and snippets are there once and the same everywhere', async () => {
  await checkHistories(`${file} -t 'whatever happens'`, laterHistory, runLaterHistory, 70)
}, 3_600_000)

test('what one device leaves for later comes out as the person left it', async () => {
  await checkHistories(`${file} -t 'one device'`, soloLater, runLaterHistory, 80)
}, 3_600_000)

describe('histories that once went wrong', () => {
  const histories: Record<string, LaterHistory> = {
    'the deletion of a snippet that is repeated does not reach one that was saved since': {
      devices: 2,
      steps: [
        { do: 'save', on: 0 },
        { do: 'fault', on: 0, fault: 'lost-after', poll: false },
        { do: 'delete-snippet', on: 0, which: 0 },
        { do: 'save', on: 1 },
        { do: 'edit', on: 0, which: 0, what: 'words', at: 0 },
      ],
    },
    'a scheduled message that is changed before its answer was missed is there once': {
      devices: 1,
      steps: [
        { do: 'repeat', on: 0, poll: false },
        { do: 'fault', on: 0, fault: 'lost-after', poll: false },
        { do: 'schedule', on: 0, to: 0, at: 2 },
        { do: 'edit', on: 0, which: 0, what: 'words', at: 0 },
      ],
    },
    'a snippet is shown as the service keeps it, which hears of no change': {
      devices: 1,
      steps: [
        { do: 'save', on: 0 },
        { do: 'change-snippet', on: 0, which: 0 },
      ],
    },
  }
  test.each(Object.entries(histories))('%s', async (_name, history) => {
    await runLaterHistory(history)
  })
})
