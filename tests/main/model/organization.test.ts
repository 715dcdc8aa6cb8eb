import { test } from 'vitest'
import { checkHistories } from './check.ts'
import { organizationHistory, runOrganizationHistory } from './organization-history.ts'

const file = 'tests/main/model/organization.test.ts'

test('whatever happens to devices and network, every device shows groups, folders and channels as the service has them', async () => {
  await checkHistories(`${file} -t 'whatever happens'`, organizationHistory, runOrganizationHistory, 10)
}, 3_600_000)
