import { expect, test } from 'vitest'
import { fresh, organization, refused, succeeded, type Answer } from '../../support/organization.ts'

// Who may know of whom (specification, GET /users/{user_id} and the user_list_incomplete capability).

const org = organization()
const ids = (members: Answer['body'][]) => members.map((one) => one['user_id'])

test('GUEST-01: Where guests are limited, they list bots and those with whom they share something.', async () => {
  await org.whileGuestsAreLimited(async () => {
    const found = ids(succeeded(await org.guest.get('/users')).members)
    expect(found).toEqual(expect.arrayContaining([org.guest.id, org.member.id, org.bot.id]))
    expect(found).not.toContain(org.other.id)
    expect(ids(succeeded(await org.member.get('/users')).members)).toContain(org.other.id)
  })
  expect(ids(succeeded(await org.guest.get('/users')).members)).toContain(org.other.id)
})

test('GUEST-02: Somebody hidden from a guest is refused exactly as somebody who is not there.', async () => {
  await org.whileGuestsAreLimited(async () => {
    const answer = refused(await org.guest.get(`/users/${org.other.id}`))
    expect(refused(await org.guest.get('/users/99999'))).toEqual(answer)
    succeeded(await org.guest.get(`/users/${org.member.id}`))
    succeeded(await org.other.get(`/users/${org.guest.id}`))
  })
})

test('GUEST-03: A conversation makes a guest know those who are in it.', async () => {
  const friend = org.join(fresh('Friend'))
  await org.whileGuestsAreLimited(async () => {
    refused(await org.guest.get(`/users/${friend.id}`))
    await friend.send([org.guest], '', 'Hello')
    succeeded(await org.guest.get(`/users/${friend.id}`))
  })
})
