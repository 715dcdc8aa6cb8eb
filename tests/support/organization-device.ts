import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { ActionInput } from '../../src-shared/bridge/actions.ts'
import { openDevice, type Device } from './device.ts'
import { found, type Organization } from './organization.ts'

/**
 * An organization for the tests of a file, and a device of one of its people. The device is opened before the first
 * test and closed after the last; each test starts with an empty outbox. `before` fills the organization before the
 * device exists.
 */
export function deviceInOrganization(
  person: 'owner' | 'member',
  before: (org: Organization) => Promise<void> = async () => {},
) {
  let org: Organization
  let device: Device
  const account = () => ({ accountId: device.accountId })
  const empty = () => device.until('outbox', account(), (items) => items.length === 0)

  beforeAll(async () => {
    org = await found({})
    await before(org)
    const { email, row } = org[person]
    device = await openDevice(org.service.baseUrl, { email, apiKey: row.api_key })
    await device.until('sync-state', account(), ({ status }) => status === 'synced')
  })
  beforeEach(() => empty())
  afterAll(async () => {
    await device.close()
    await org.service.close()
  })

  return {
    get org() {
      return org
    },
    get device() {
      return device
    },
    account,
    act: (action: ActionInput) => device.bridge.call('act', { ...account(), action }),
    titles: async () => (await device.ask('outbox', account())).map(({ title }) => title),
    /** Waits until the outbox is settled. */
    empty,
    /** The reasons of that many refused changes, which are then discarded. */
    async refusals(count: number) {
      const items = await device.until(
        'outbox',
        account(),
        (all) => all.length === count && all.every(({ state }) => state.state === 'refused'),
      )
      for (const { localId } of items)
        await device.bridge.call('discard-outbox-item', { ...account(), localId })
      return items.map(({ state }) => state.reason)
    },
    async offline() {
      await org.service.stop()
      await device.untilOffline()
    },
    async online() {
      await org.service.start()
      await device.bridge.call('try-now', account())
    },
  }
}
