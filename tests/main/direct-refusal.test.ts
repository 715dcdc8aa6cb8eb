import { expect, test } from 'vitest'
import { userId } from '../../src-shared/ids.ts'
import type { DirectRefusal } from '../../src-shared/model/permissions.ts'
import { succeeded, type Person } from '../support/organization.ts'
import { deviceInOrganization } from '../support/organization-device.ts'

// Compares what the device says about writing to people with what the service does.

const here = deviceInOrganization('member')

const only = (...people: Person[]) => ({ direct_members: people.map(({ id }) => id), direct_subgroups: [] })
const allow = async (name: 'initiator' | 'permission', holders: unknown) =>
  void succeeded(await here.org.owner.patch('/realm', { [`direct_message_${name}_group`]: { new: holders } }))

/** Checks that the device expects this refusal, or none, and that the service does so. */
async function tried(people: readonly Person[], expected: DirectRefusal['kind'] | null) {
  const userIds = people.map(({ id }) => userId(id))
  const refusal = await here.device.until(
    'direct-refusal',
    { ...here.account(), userIds },
    (found) => (found?.kind ?? null) === expected,
  )
  const to = people.length === 0 ? [here.org.member.id] : userIds
  const { status } = await here.org.member.post('/messages', { type: 'direct', to, content: 'a message' })
  expect(status).toBe(expected === null ? 200 : 400)
  return refusal
}

test('who may exchange direct messages is known beforehand', async () => {
  const { other, moderator, bot } = here.org
  await tried([other], null)
  await allow('permission', only())
  await tried([other], 'not-allowed')
  await tried([other, bot], 'not-allowed')
  await tried([bot], null)
  await tried([], null)
  // One holder is enough for the whole conversation.
  await allow('permission', only(other))
  await tried([moderator], 'not-allowed')
  await tried([other], null)
  await tried([moderator, other], null)
  await allow('permission', only(here.org.member))
  await tried([moderator], null)
})

test('who may only answer is told so until somebody has written', async () => {
  const { other, admin, owner, member } = here.org
  await allow('initiator', only(admin))
  await tried([owner], 'not-begun')
  await tried([admin, owner], 'not-begun')
  await tried([here.org.joinBot('Asked Bot', owner)], null)
  // Begun before.
  await tried([other], null)
  await tried([admin], 'not-begun')
  await admin.send([member], '', 'the first one')
  await tried([admin], null)
  await allow('initiator', only(here.org.member))
  await tried([owner], null)
})

test('people who have left are named', async () => {
  const { other, admin, owner } = here.org
  succeeded(await owner.delete(`/users/${other.id}`))
  expect(await tried([other], 'deactivated')).toEqual({ kind: 'deactivated', names: [other.name] })
  expect(await tried([admin, other], 'deactivated')).toEqual({ kind: 'deactivated', names: [other.name] })
  await tried([admin], null)
})
