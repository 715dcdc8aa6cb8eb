import { describe, test } from 'vitest'
import { checkHistories } from './check.ts'
import {
  organizationHistory,
  runOrganizationHistory,
  type OrganizationHistory,
} from './organization-history.ts'

const file = 'tests/main/model/organization.test.ts'

test('whatever happens to devices and network, every device shows groups, folders and channels as the service has them', async () => {
  await checkHistories(`${file} -t 'whatever happens'`, organizationHistory, runOrganizationHistory, 30)
}, 3_600_000)

describe('histories that once went wrong', () => {
  const histories: Record<string, OrganizationHistory> = {
    'who is taken out of a channel while it is asked who is in it is counted once': {
      devices: 1,
      steps: [
        { do: 'fault', on: 0, fault: 'too-many', poll: false },
        { do: 'people', on: 0, put: false },
        { do: 'ask', on: 0 },
      ],
    },
    'a process that ends when it has saved a channel writes nothing into it': {
      devices: 1,
      steps: [
        { do: 'kill', on: 0, after: 1 },
        { do: 'write', on: 0, anew: true },
      ],
    },
    'a channel that was archived here is gone, because an older server names none that is': {
      devices: 1,
      level: 87,
      steps: [
        { do: 'channel', on: 0, what: 6, value: 0 },
        { do: 'lose-queue', on: 0 },
        { do: 'fault', on: 0, fault: 'lost-after', poll: false },
      ],
    },
  }
  test.each(Object.entries(histories))('%s', async (_name, history) => {
    await runOrganizationHistory(history)
  })
})
