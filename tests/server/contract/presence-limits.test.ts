import { expect, test } from 'vitest'
import { organization, succeeded } from '../../support/organization.ts'

const org = organization({ configuration: { limitsPresence: true } })

test('PRESENCE-13: When the server limits presence, only users visible to the caller are included.', async () => {
  await org.whileGuestsAreLimited(async () => {
    const queue = await org.guest.register({ event_types: ['presence'] })
    succeeded(await org.other.post('/users/me/presence', { status: 'active' }))
    succeeded(await org.member.post('/users/me/presence', { status: 'active' }))
    const { presences } = succeeded(await org.guest.get('/realm/presence'))
    expect(Object.keys(presences)).toEqual([org.member.email])
    expect(await queue.events()).toMatchObject([{ user_id: org.member.id }])
  })
})
