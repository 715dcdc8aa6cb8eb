import { expect, test } from 'vitest'
import { organization, refused, succeeded } from '../../support/organization.ts'

const org = organization()

const wordsOf = async (who: 'member' | 'other') =>
  succeeded(await org[who].get('/users/me/alert_words')).alert_words
const flagsFor = async (who: 'member' | 'other', id: number): Promise<string[]> =>
  succeeded(await org[who].get(`/messages/${id}`)).message.flags

test('ALERT-01: Words are added and listed in order, and each is kept once regardless of case.', async () => {
  const added = succeeded(
    await org.member.post('/users/me/alert_words', {
      alert_words: ['Kestrel', ' release party ', 'kestrel'],
    }),
  )
  expect(added.alert_words).toEqual(['Kestrel', 'release party'])
  expect(await wordsOf('member')).toEqual(['Kestrel', 'release party'])
  expect(await wordsOf('other')).toEqual([])
})

test('ALERT-02: A word has at most 100 characters, and a blank word is not kept.', async () => {
  refused(await org.member.post('/users/me/alert_words', { alert_words: ['x'.repeat(101)] }))
  const answer = succeeded(
    await org.member.post('/users/me/alert_words', { alert_words: ['ü'.repeat(100), ' '] }),
  )
  expect(answer.alert_words).toContain('ü'.repeat(100))
  expect(answer.alert_words).not.toContain('')
  succeeded(await org.member.delete('/users/me/alert_words', { alert_words: ['ü'.repeat(100)] }))
})

test('ALERT-03: A message that contains an alert word as a whole word has the flag has_alert_word, for that user only.', async () => {
  const queue = await org.member.register({ event_types: ['message'] })
  const alone = await org.other.send(org.plaza, 'birds', 'A KESTREL, look!')
  const phrase = await org.other.send(org.plaza, 'birds', 'the release party is on')
  const inside = await org.other.send(org.plaza, 'birds', 'two kestrels and a releaseparty')
  expect(await flagsFor('member', alone)).toContain('has_alert_word')
  expect(await flagsFor('member', phrase)).toContain('has_alert_word')
  expect(await flagsFor('member', inside)).not.toContain('has_alert_word')
  expect(await flagsFor('other', alone)).not.toContain('has_alert_word')
  const events = await queue.events()
  expect(events.map((event) => event.flags.includes('has_alert_word'))).toEqual([true, true, false])
})

test('ALERT-04: An alert word is not a mention.', async () => {
  const id = await org.other.send(org.plaza, 'birds', 'kestrel again')
  const answer = succeeded(
    await org.member.get('/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      narrow: [{ operator: 'is', operand: 'mentioned' }],
    }),
  )
  expect(answer.messages.map((message: { id: number }) => message.id)).not.toContain(id)
})

test('ALERT-05: A change sends the whole list to the user’s own queues; a request that changes nothing sends no event.', async () => {
  const queue = await org.member.register({ event_types: ['alert_words'] })
  const others = await org.other.register({ event_types: ['alert_words'] })
  succeeded(await org.member.post('/users/me/alert_words', { alert_words: ['osprey'] }))
  succeeded(await org.member.post('/users/me/alert_words', { alert_words: ['OSPREY'] }))
  const answer = succeeded(
    await org.member.delete('/users/me/alert_words', { alert_words: ['Osprey', 'nowhere'] }),
  )
  expect(answer.alert_words).toEqual(['Kestrel', 'release party'])
  expect(await queue.events()).toMatchObject([
    { type: 'alert_words', alert_words: ['Kestrel', 'release party', 'osprey'] },
    { type: 'alert_words', alert_words: ['Kestrel', 'release party'] },
  ])
  expect(await others.events()).toEqual([])
})

test('ALERT-06: The register response contains the words.', async () => {
  const { state } = await org.member.register({ fetch_event_types: ['alert_words'] })
  expect(state.alert_words).toEqual(['Kestrel', 'release party'])
})

test('MUTE-01: A muted user is listed with the time of muting, in the register response and in an event.', async () => {
  const queue = await org.member.register({ event_types: ['muted_users'] })
  succeeded(await org.member.post(`/users/me/muted_users/${org.other.id}`))
  const muted = [{ id: org.other.id, timestamp: Math.floor(org.clock.now() / 1000) }]
  expect(await queue.events()).toMatchObject([{ type: 'muted_users', muted_users: muted }])
  const { state } = await org.member.register({ fetch_event_types: ['muted_users'] })
  expect(state.muted_users).toEqual(muted)
  refused(await org.member.post(`/users/me/muted_users/${org.other.id}`))
  succeeded(await org.member.delete(`/users/me/muted_users/${org.other.id}`))
  expect(await queue.events()).toMatchObject([{ type: 'muted_users', muted_users: [] }])
  refused(await org.member.delete(`/users/me/muted_users/${org.other.id}`))
})

test('MUTE-02: Users cannot mute themselves or a user who does not exist.', async () => {
  refused(await org.member.post(`/users/me/muted_users/${org.member.id}`))
  refused(await org.member.post('/users/me/muted_users/99999'))
})

test('MUTE-03: Muting a user marks their messages as read, both existing and later ones.', async () => {
  const before = await org.admin.send(org.plaza, 'birds', 'before')
  expect(await flagsFor('member', before)).not.toContain('read')
  const queue = await org.member.register({ event_types: ['update_message_flags'] })
  succeeded(await org.member.post(`/users/me/muted_users/${org.admin.id}`))
  expect(await flagsFor('member', before)).toContain('read')
  expect(await queue.events()).toMatchObject([
    { type: 'update_message_flags', op: 'add', flag: 'read', messages: [before], all: false },
  ])
  const after = await org.admin.send(org.plaza, 'birds', 'after')
  expect(await flagsFor('member', after)).toContain('read')
  expect(await flagsFor('other', after)).not.toContain('read')
})
