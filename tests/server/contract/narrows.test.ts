import { beforeAll, expect, test } from 'vitest'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'

const org = organization()

type Term = { operator: string; operand: unknown; negated?: boolean } | [string, string]
const term = (operator: string, operand: unknown, negated?: boolean): Term => ({
  operator,
  operand,
  ...(negated === undefined ? {} : { negated }),
})
const not = (operator: string, operand: unknown) => term(operator, operand, true)

const ask = (person: Person, narrow: readonly Term[], more: object = {}) =>
  person.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow, ...more })

/** The names under which the messages of a narrow were sent, in their order. */
async function found(person: Person, ...narrow: Term[]): Promise<string[]> {
  const { messages } = succeeded(await ask(person, narrow))
  return messages.map(({ id }: { id: number }) => names.get(id) ?? `a stranger, ${id}`)
}

const names = new Map<number, string>()
const ids: Record<string, number> = {}
const keep = (name: string, id: number) => {
  ids[name] = id
  names.set(id, name)
}
const flag = async (person: Person, op: string, name: string, ...messages: string[]) =>
  succeeded(
    await person.post('/messages/flags', { op, flag: name, messages: messages.map((one) => ids[one]) }),
  )

beforeAll(async () => {
  const { member, other, guest, plaza, cellar, lobby } = org
  keep('hello', await other.send(plaza, 'Greetings', 'hello there, a long walk'))
  keep('link', await member.send(plaza, 'greetings', 'see https://example.com/page and walk'))
  keep('blank', await other.send(plaza, '', 'no topic for this one'))
  keep('done', await other.send(plaza, '✔ Chores', 'all walked and done'))
  keep('secret', await org.owner.send(cellar, 'Plans', 'only below the stairs'))
  keep('hall', await guest.send(lobby, 'Greetings', 'the guest walks in, slowly'))
  keep('mention', await other.send(plaza, 'Calls', `@**${member.name}** please look`))
  keep('calling', await other.send(plaza, 'Calls', '@**all** supper'))
  keep(
    'note',
    await member.send([], '', 'a note to myself').catch(() => member.send([member], '', 'a note to myself')),
  )
  keep('pair', await other.send([member], '', 'between us two'))
  keep('three', await other.send([member, org.admin], '', 'between us three'))
  keep('foreign', await other.send([org.admin], '', 'not for everybody'))
  await flag(member, 'add', 'read', 'hello', 'blank', 'done', 'secret', 'hall')
  await flag(member, 'add', 'starred', 'done')
  succeeded(await other.post(`/messages/${ids['blank']}/reactions`, { emoji_name: 'tada' }))
})

const channelMessages = ['hello', 'link', 'blank', 'done', 'secret', 'hall', 'mention', 'calling']

test('NAR-01: An empty narrow matches every message that the user received, and no others.', async () => {
  expect(await found(org.member)).toEqual([...channelMessages, 'note', 'pair', 'three'])
})

test('NAR-02: channel accepts an id or a name, in any case; a number in quotes is a name.', async () => {
  const plaza = ['hello', 'link', 'blank', 'done', 'mention', 'calling']
  expect(await found(org.member, term('channel', org.plaza))).toEqual(plaza)
  expect(await found(org.member, term('channel', 'PLAZA'))).toEqual(plaza)
  expect(await found(org.member, term('stream', org.plaza))).toEqual(plaza)
  expect(await found(org.member, ['channel', 'plaza'])).toEqual(plaza)
  refused(await ask(org.member, [term('channel', String(org.plaza))]), 'BAD_NARROW')
})

test('NAR-03: A channel that does not exist and a hidden one are rejected in the same way, with the reason.', async () => {
  const missing = refused(await ask(org.other, [term('channel', 9_999)]), 'BAD_NARROW')
  const hidden = refused(await ask(org.other, [term('channel', org.cellar)]), 'BAD_NARROW')
  expect(hidden).toEqual(missing)
  expect(missing['desc']).toMatch(/\S/)
})

test('NAR-04: A negated channel matches all other received messages.', async () => {
  expect(await found(org.member, not('channel', org.plaza))).toEqual([
    'secret',
    'hall',
    'note',
    'pair',
    'three',
  ])
})

test('NAR-05: channels:public reaches the whole history of public channels, subscribed or not.', async () => {
  const open = channelMessages.filter((name) => name !== 'secret')
  expect(await found(org.other, term('channels', 'public'))).toEqual(open)
  expect(await found(org.other, term('streams', 'public'))).toEqual(open)
  expect(await found(org.member, not('channels', 'public'))).toEqual(['secret', 'note', 'pair', 'three'])
  refused(await ask(org.other, [term('channels', 'some')]), 'BAD_NARROW')
})

test('NAR-06: A guest reaches only the channels that they are subscribed to.', async () => {
  expect(await found(org.guest, term('channels', 'public'))).toEqual(['hall'])
  refused(await ask(org.guest, [term('channel', org.plaza)]), 'BAD_NARROW')
})

test('NAR-07: channels:web-public matches only channels that are open to the web.', async () => {
  expect(await found(org.other, term('channels', 'web-public'))).toEqual([])
  org.service.workspace.db.run('UPDATE channels SET is_web_public = 1 WHERE channel_id = ?', org.lobby)
  expect(await found(org.other, term('channels', 'web-public'))).toEqual(['hall'])
  org.service.workspace.db.run('UPDATE channels SET is_web_public = 0 WHERE channel_id = ?', org.lobby)
})

test('NAR-08: A channel that the user is not subscribed to returns its history, marked read and historical.', async () => {
  const { messages } = succeeded(await ask(org.other, [term('channel', org.lobby)]))
  expect(messages.map(({ id, flags }: { id: number; flags: string[] }) => [names.get(id), flags])).toEqual([
    ['hall', ['read', 'historical']],
  ])
})

test('NAR-09: topic matches exactly except for case, and matches channel messages only.', async () => {
  expect(await found(org.member, term('topic', 'gReEtings'))).toEqual(['hello', 'link', 'hall'])
  expect(await found(org.member, term('channel', org.plaza), term('topic', 'greetings'))).toEqual([
    'hello',
    'link',
  ])
  expect(await found(org.member, term('topic', 'greet'))).toEqual([])
})

test('NAR-10: The empty topic is found by the empty string and by its display name.', async () => {
  expect(await found(org.member, term('topic', ''))).toEqual(['blank'])
  expect(await found(org.member, term('topic', 'general chat'))).toEqual(['blank'])
})

test('NAR-11: A negated topic includes direct messages.', async () => {
  expect(await found(org.member, not('topic', 'greetings'))).toEqual([
    'blank',
    'done',
    'secret',
    'mention',
    'calling',
    'note',
    'pair',
    'three',
  ])
})

test('NAR-12: sender accepts an id or an address; an unknown user is rejected.', async () => {
  const theirs = ['hello', 'blank', 'done', 'mention', 'calling', 'pair', 'three']
  expect(await found(org.member, term('sender', org.other.id))).toEqual(theirs)
  expect(await found(org.member, term('from', org.other.email.toUpperCase()))).toEqual(theirs)
  expect(await found(org.member, not('sender', org.other.id))).toEqual(['link', 'secret', 'hall', 'note'])
  refused(await ask(org.member, [term('sender', 9_999)]), 'BAD_NARROW')
  refused(await ask(org.member, [term('sender', 'nobody@example.org')]), 'BAD_NARROW')
})

test('NAR-13: dm matches exactly one conversation, regardless of order, of duplicates and of whether the user is included.', async () => {
  const { member, other, admin } = org
  expect(await found(member, term('dm', [other.id]))).toEqual(['pair'])
  expect(await found(member, term('dm', [other.id, member.id, other.id]))).toEqual(['pair'])
  expect(await found(member, term('dm', [admin.id, other.id]))).toEqual(['three'])
  expect(await found(member, term('pm-with', `${admin.email},${other.email}`))).toEqual(['three'])
})

test('NAR-14: dm with only the user matches their messages to themselves; with no users it matches nothing.', async () => {
  expect(await found(org.member, term('dm', [org.member.id]))).toEqual(['note'])
  expect(await found(org.member, term('dm', []))).toEqual([])
})

test('NAR-15: dm with users who have no conversation is empty; with an unknown user it is rejected.', async () => {
  expect(await found(org.member, term('dm', [org.guest.id]))).toEqual([])
  refused(await ask(org.member, [term('dm', [9_999])]), 'BAD_NARROW')
  expect(await found(org.member, not('dm', [org.other.id]))).toEqual([...channelMessages, 'note', 'three'])
})

test('NAR-16: dm-including matches every conversation with the given user, of any size; with the user’s own id it matches all of them.', async () => {
  const { member, other } = org
  expect(await found(member, term('dm-including', other.id))).toEqual(['pair', 'three'])
  expect(await found(member, term('dm-including', member.id))).toEqual(['note', 'pair', 'three'])
  expect(await found(member, term('group-pm-with', other.email))).toEqual(['three'])
  expect(await found(member, not('dm-including', other.id))).toEqual([...channelMessages, 'note'])
})

test('NAR-17: is:dm matches every direct message, and negated every channel message.', async () => {
  expect(await found(org.member, term('is', 'dm'))).toEqual(['note', 'pair', 'three'])
  expect(await found(org.member, term('is', 'private'))).toEqual(['note', 'pair', 'three'])
  expect(await found(org.member, not('is', 'dm'))).toEqual(channelMessages)
})

test('NAR-18: is:unread and is:starred follow the user’s own flags.', async () => {
  expect(await found(org.member, term('is', 'unread'))).toEqual(['mention', 'calling', 'pair', 'three'])
  expect(await found(org.member, term('is', 'starred'))).toEqual(['done'])
  expect(await found(org.other, term('is', 'starred'))).toEqual([])
  expect(await found(org.member, not('is', 'unread'), not('is', 'starred'), term('is', 'dm'))).toEqual([
    'note',
  ])
})

test('NAR-19: is:mentioned matches messages that mention the user, also by a wildcard mention.', async () => {
  expect(await found(org.member, term('is', 'mentioned'))).toEqual(['mention', 'calling'])
  expect(await found(org.admin, term('is', 'mentioned'))).toEqual(['calling'])
  expect(await found(org.member, not('is', 'mentioned'), term('topic', 'calls'))).toEqual([])
})

test('NAR-20: is:alerted matches messages that contain an alert word.', async () => {
  expect(await found(org.member, term('is', 'alerted'))).toEqual([])
  org.service.workspace.db.run(
    `UPDATE user_messages SET mention = 'has_alert_word' WHERE user_id = ? AND message_id = ?`,
    org.member.id,
    ids['hall'] ?? 0,
  )
  expect(await found(org.member, term('is', 'alerted'))).toEqual(['hall'])
  expect(await found(org.member, term('is', 'mentioned'))).toEqual(['mention', 'calling'])
})

test('NAR-21: is:resolved matches messages in resolved topics.', async () => {
  expect(await found(org.member, term('is', 'resolved'))).toEqual(['done'])
  expect(await found(org.member, not('is', 'resolved'), term('channel', org.plaza))).toEqual([
    'hello',
    'link',
    'blank',
    'mention',
    'calling',
  ])
})

test('NAR-22: is:followed and is:muted follow the current policies of topics and channels.', async () => {
  const { member, plaza } = org
  const policy = async (topic: string, visibility_policy: number) =>
    succeeded(await member.post('/user_topics', { stream_id: plaza, topic, visibility_policy }))
  const muteChannel = async (value: boolean) =>
    succeeded(
      await member.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: plaza, property: 'is_muted', value }],
      }),
    )
  await policy('Greetings', 3)
  await policy('Calls', 1)
  expect(await found(member, term('is', 'followed'))).toEqual(['hello', 'link'])
  expect(await found(member, term('is', 'muted'))).toEqual(['mention', 'calling'])
  expect(await found(member, term('in', 'home'), term('channel', plaza))).toEqual([
    'hello',
    'link',
    'blank',
    'done',
  ])
  await muteChannel(true)
  await policy('', 2)
  expect(await found(member, term('is', 'muted'))).toEqual(['done', 'mention', 'calling'])
  expect(await found(member, not('is', 'muted'), term('channel', plaza))).toEqual(['hello', 'link', 'blank'])
  await muteChannel(false)
  for (const topic of ['Greetings', 'Calls', '']) await policy(topic, 0)
})

test('NAR-23: in:all restricts nothing; an unknown operand is rejected.', async () => {
  expect(await found(org.member, term('in', 'all'))).toEqual(await found(org.member))
  refused(await ask(org.member, [term('in', 'there')]), 'BAD_NARROW')
})

test('NAR-24: has supports links, images, attachments and reactions.', async () => {
  expect(await found(org.member, term('has', 'link'))).toEqual(['link'])
  expect(await found(org.member, term('has', 'image'))).toEqual([])
  expect(await found(org.member, term('has', 'attachment'))).toEqual([])
  expect(await found(org.member, term('has', 'reaction'))).toEqual(['blank'])
  expect(await found(org.member, not('has', 'reaction'), term('topic', ''))).toEqual([])
  refused(await ask(org.member, [term('has', 'wings')]), 'BAD_NARROW')
})

test('NAR-25: id matches one message if the user may read it, given as a number or as text.', async () => {
  expect(await found(org.member, term('id', ids['pair']))).toEqual(['pair'])
  expect(await found(org.member, term('id', String(ids['pair'])))).toEqual(['pair'])
  expect(await found(org.member, term('id', ids['foreign']))).toEqual([])
  for (const operand of ['x', -1, 2 ** 31, ''])
    refused(await ask(org.member, [term('id', operand)]), 'BAD_NARROW')
})

test('NAR-26: near restricts nothing, negated or not, but must be an id.', async () => {
  expect(await found(org.member, term('near', ids['pair']))).toEqual(await found(org.member))
  expect(await found(org.member, not('near', ids['pair']))).toEqual(await found(org.member))
  refused(await ask(org.member, [term('near', 'here')]), 'BAD_NARROW')
})

test('NAR-27: with replaces the named conversation with the one that its message is in now.', async () => {
  const { member, plaza, lobby } = org
  expect(
    await found(member, term('channel', lobby), term('topic', 'elsewhere'), term('with', ids['hello'])),
  ).toEqual(['hello', 'link'])
  expect(await found(member, term('channel', plaza), term('with', String(ids['pair'])))).toEqual(['pair'])
  expect(await found(member, term('dm', [org.guest.id]), term('with', ids['hello']))).toEqual([
    'hello',
    'link',
  ])
})

test('NAR-28: If the message of with cannot be read, the named conversation is kept; without a named conversation the narrow is rejected.', async () => {
  const { member, plaza } = org
  const named = [term('channel', plaza), term('topic', 'calls')]
  expect(await found(member, ...named, term('with', ids['foreign']))).toEqual(['mention', 'calling'])
  expect(await found(member, term('dm', [org.other.id]), term('with', ids['foreign']))).toEqual(['pair'])
  refused(await ask(member, [term('with', ids['foreign'])]), 'BAD_NARROW')
  refused(await ask(member, [term('channel', plaza), term('with', ids['foreign'])]), 'BAD_NARROW')
  refused(await ask(member, [term('with', ids['hello']), term('with', ids['pair'])]), 'BAD_NARROW')
  expect(await found(member, ...named, not('with', ids['pair']))).toEqual(['mention', 'calling'])
})

test('NAR-29: search matches stems of all its words, in content and topic, in any order.', async () => {
  expect(await found(org.member, term('search', 'walking'))).toEqual(['hello', 'link', 'done', 'hall'])
  expect(await found(org.member, term('search', 'walk greetings'))).toEqual(['hello', 'link', 'hall'])
  expect(await found(org.member, term('search', 'walk'), term('search', 'guest'))).toEqual(['hall'])
  expect(await found(org.member, term('search', 'foreign'))).toEqual([])
  expect(await found(org.member, not('search', 'walk'), term('channel', org.plaza))).toEqual([
    'blank',
    'mention',
    'calling',
  ])
})

test('NAR-30: A phrase in quotes must appear exactly as written, in any case.', async () => {
  expect(await found(org.member, term('search', '"Long Walk"'))).toEqual(['hello'])
  expect(await found(org.member, term('search', '"long walks"'))).toEqual([])
  expect(await found(org.member, term('search', '"walk" guest'))).toEqual(['hall'])
})

test('NAR-31: An empty search is rejected; a search for punctuation alone finds nothing.', async () => {
  refused(await ask(org.member, [term('search', '  ')]), 'BAD_NARROW')
  expect(await found(org.member, term('search', '!?"'))).toEqual([])
})

test('NAR-32: A search does not find messages that the user may not read.', async () => {
  expect(await found(org.other, term('search', 'stairs'))).toEqual([])
  expect(await found(org.guest, term('search', 'walk'))).toEqual(['hall'])
  expect(await found(org.member, term('search', 'everybody'))).toEqual([])
})

test('NAR-33: Search results, and only those, include the matches marked in content and topic.', async () => {
  const { messages } = succeeded(await ask(org.member, [term('search', 'walking page')]))
  expect(messages).toHaveLength(1)
  expect(messages[0].match_content).toContain('<span class="highlight">walk</span>')
  expect(messages[0].match_content).toContain('href="https://example.com/page"')
  expect(messages[0].match_content).toContain('/<span class="highlight">page</span>')
  expect(messages[0].match_subject).toBe('greetings')
  const byTopic = succeeded(await ask(org.member, [term('search', 'chores')])).messages
  expect(byTopic[0].match_subject).toBe('✔ <span class="highlight">Chores</span>')
  const plain = succeeded(await ask(org.member, [term('topic', 'calls')])).messages
  expect(plain[0]).not.toHaveProperty('match_content')
  expect(plain[0]).not.toHaveProperty('match_subject')
})

test('NAR-34: A narrow that combines terms for channel messages and for direct messages is rejected.', async () => {
  const direct = [term('dm', [org.other.id]), term('dm-including', org.other.id), term('is', 'dm')]
  const channel = [
    term('channel', org.plaza),
    term('channels', 'public'),
    term('topic', 'x'),
    not('is', 'dm'),
  ]
  for (const one of direct) {
    for (const two of channel) refused(await ask(org.member, [one, two]), 'BAD_NARROW')
  }
  expect(await found(org.member, not('channel', org.plaza), term('is', 'dm'))).toEqual([
    'note',
    'pair',
    'three',
  ])
})

test('NAR-35: An unknown operator is BAD_NARROW; a malformed narrow is BAD_REQUEST.', async () => {
  refused(await ask(org.member, [term('colour', 'red')]), 'BAD_NARROW')
  refused(await ask(org.member, [term('is', 'red')]), 'BAD_NARROW')
  refused(await org.member.get('/messages', { anchor: 'newest', narrow: 'x' }))
  refused(await org.member.get('/messages', { anchor: 'newest', narrow: [['channel']] }))
  refused(await org.member.get('/messages', { anchor: 'newest', narrow: [{ operator: 'channel' }] }))
})

test('NAR-36: For a user who left it, a private channel is still known but has no messages, neither those they received nor later ones.', async () => {
  const { cellar, moderator, owner } = org
  refused(await ask(moderator, [term('channel', cellar)]), 'BAD_NARROW')
  succeeded(
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'cellar' }],
      principals: [moderator.id],
    }),
  )
  keep('together', await owner.send(cellar, 'Plans', 'with the moderator here'))
  expect(await found(moderator, term('channel', cellar))).toContain('together')
  succeeded(await moderator.delete('/users/me/subscriptions', { subscriptions: ['cellar'] }))
  keep('later', await owner.send(cellar, 'Plans', 'they left'))
  expect(await found(moderator, term('channel', cellar))).toEqual([])
  refused(await moderator.get(`/messages/${ids['together']}`))
})

test('NAR-37: GET /messages/matches_narrow returns which of the given messages match a narrow, with the matches marked.', async () => {
  const { messages } = succeeded(
    await org.member.get('/messages/matches_narrow', {
      msg_ids: [ids['hello'], ids['blank'], ids['foreign']],
      narrow: [term('search', 'walk')],
    }),
  )
  expect(Object.keys(messages)).toEqual([String(ids['hello'])])
  expect(messages[String(ids['hello'])]).toEqual({
    match_content: '<p>hello there, a long <span class="highlight">walk</span></p>',
    match_subject: 'Greetings',
  })
  const plain = succeeded(
    await org.member.get('/messages/matches_narrow', {
      msg_ids: [ids['hello']],
      narrow: [term('has', 'link')],
    }),
  )
  expect(plain.messages).toEqual({})
  const found = succeeded(
    await org.member.get('/messages/matches_narrow', {
      msg_ids: [ids['link']],
      narrow: [term('has', 'link')],
    }),
  )
  expect(found.messages).toEqual({ [String(ids['link'])]: {} })
})

test('NAR-38: Without an account, only web-public channels can be read, with a narrow that names them, if the organization allows it.', async () => {
  const { service, nobody, lobby } = org
  const { db } = service.workspace
  const open = term('channels', 'web-public')
  refused(await ask(nobody, [open]), 'UNAUTHORIZED', 401)
  db.run(`INSERT OR REPLACE INTO realm VALUES ('enable_spectator_access', 'true')`)
  db.run('UPDATE channels SET is_web_public = 1 WHERE channel_id = ?', lobby)
  const { messages } = succeeded(await ask(nobody, [open, term('in', 'home')]))
  expect(messages.map(({ id, flags }: { id: number; flags: string[] }) => [names.get(id), flags])).toEqual([
    ['hall', ['read']],
  ])
  refused(await ask(nobody, []), 'UNAUTHORIZED', 401)
  refused(await ask(nobody, [term('channel', lobby)]), 'UNAUTHORIZED', 401)
  refused(await ask(nobody, [open, term('is', 'starred')]), 'UNAUTHORIZED', 401)
  refused(await ask(nobody, [open, term('dm', [org.other.id])]), 'UNAUTHORIZED', 401)
  refused(await ask(nobody, [open, term('channel', org.plaza)]), 'BAD_NARROW')
  db.run('UPDATE channels SET is_web_public = 0 WHERE channel_id = ?', lobby)
  db.run(`INSERT OR REPLACE INTO realm VALUES ('enable_spectator_access', 'false')`)
})

test('NAR-39: An operand of the wrong type, and more than 50 terms, are BAD_NARROW.', async () => {
  for (const [operator, operand] of [
    ['topic', 5],
    ['sender', [org.other.id]],
    ['dm-including', [org.other.id]],
  ] as const)
    refused(await ask(org.member, [term('channel', org.plaza), term(operator, operand)]), 'BAD_NARROW')
  const terms = (count: number) => Array.from({ length: count }, () => term('is', 'starred'))
  succeeded(await ask(org.member, terms(50)))
  refused(await ask(org.member, terms(51)), 'BAD_NARROW')
})
