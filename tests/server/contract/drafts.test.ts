import { expect, test } from 'vitest'
import { fresh, organization, refused, succeeded, type Person } from '../../support/organization.ts'

const org = organization()
const toPlaza = (content: string, more: object = {}) => ({
  type: 'stream',
  to: [org.plaza],
  topic: 'Drafts',
  content,
  ...more,
})
const create = async (person: Person, ...drafts: object[]): Promise<number[]> =>
  succeeded(await person.post('/drafts', { drafts }))['ids']
const list = async (person: Person) => succeeded(await person.get('/drafts'))
const listen = (person: Person) => person.register({ event_types: ['drafts'], fetch_event_types: ['drafts'] })

test("DRAFT-01: Drafts are stored in the order given and sent to all of the user's queues, and to no other user's.", async () => {
  const [mine, theirs] = [await listen(org.member), await listen(org.other)]
  const ids = await create(org.member, toPlaza('one', { timestamp: 5 }), {
    type: 'private',
    to: [org.other.id],
    topic: '',
    content: 'two',
    timestamp: 7,
  })
  expect(ids).toHaveLength(2)
  const drafts = [
    { id: ids[0], ...toPlaza('one'), timestamp: 5 },
    { id: ids[1], type: 'private', to: [org.other.id], topic: '', content: 'two', timestamp: 7 },
  ]
  expect(await mine.events()).toEqual([{ id: 0, type: 'drafts', op: 'add', drafts }])
  expect(await theirs.events()).toEqual([])
  expect(await list(org.member)).toMatchObject({ count: 2, drafts })
  expect(await list(org.other)).toMatchObject({ count: 0, drafts: [] })
  expect((await listen(org.member)).state['drafts']).toEqual(drafts)

  // Registering gives the thousand that were edited last.
  const many = org.join(fresh('Drafter'))
  await create(many, ...Array.from({ length: 1_001 }, (_, index) => toPlaza('x', { timestamp: index + 1 })))
  const given = (await listen(many)).state['drafts'].map(({ timestamp }: { timestamp: number }) => timestamp)
  expect([given.length, given.at(0), given.at(-1)]).toEqual([1_000, 2, 1_001])
})

test('DRAFT-02: A draft without a timestamp gets the current time; fractions are truncated.', async () => {
  const ids = await create(org.admin, toPlaza('now'), toPlaza('then', { timestamp: 12.75 }))
  const { drafts } = await list(org.admin)
  const timeOf = (id: number | undefined) =>
    drafts.find((draft: { id: number }) => draft.id === id)?.timestamp
  expect(timeOf(ids[0])).toBe(Math.floor(org.clock.now() / 1000))
  expect(timeOf(ids[1])).toBe(12)
  refused(await org.admin.post('/drafts', { drafts: [toPlaza('before', { timestamp: -1 })] }))
})

test('DRAFT-03: A draft with no type keeps only its content.', async () => {
  const [id] = await create(org.moderator, {
    type: '',
    to: [org.other.id],
    topic: 'lost',
    content: 'whom for?',
  })
  expect((await list(org.moderator))['drafts']).toMatchObject([
    { id, type: '', to: [], topic: '', content: 'whom for?' },
  ])
})

test('DRAFT-04: The recipients of a direct draft are stored without the user and without duplicates; a draft to the user alone keeps that recipient.', async () => {
  const { owner, other, member } = org
  const direct = (to: number[]) => ({ type: 'private', to, topic: 'ignored', content: 'x' })
  await create(owner, direct([other.id, owner.id, member.id, other.id]), direct([owner.id]), direct([]))
  const { drafts } = await list(owner)
  expect(drafts.map(({ to }: { to: number[] }) => to)).toEqual([
    [member.id, other.id].sort((a, b) => a - b),
    [owner.id],
    [],
  ])
  expect(drafts[0].topic).toBe('')
})

test('DRAFT-05: Topics and content follow the rules of messages.', async () => {
  const [id] = await create(org.other, toPlaza('\n words  ', { topic: 'x'.repeat(70) }))
  const { drafts } = await list(org.other)
  expect(drafts.find((draft: { id: number }) => draft.id === id)).toMatchObject({
    content: ' words',
    topic: `${'x'.repeat(57)}...`,
  })
})

test('DRAFT-06: An invalid draft is rejected, and nothing in the request is stored.', async () => {
  const before = await list(org.member)
  for (const draft of [
    toPlaza('  '),
    toPlaza('nul\0byte'),
    toPlaza('x', { topic: 'nul\0byte' }),
    toPlaza('x', { to: [] }),
    toPlaza('x', { to: [org.plaza, org.lobby] }),
    toPlaza('x', { to: [9_999] }),
    toPlaza('x', { type: 'letter' }),
    toPlaza('x', { id: 5 }),
    { type: 'private', to: [9_999], topic: '', content: 'x' },
    { type: 'private', to: [org.other.id], topic: 'nul\0byte', content: 'x' },
    { type: 'stream', to: [1] },
  ])
    refused(await org.member.post('/drafts', { drafts: [toPlaza('good'), draft] }))
  expect(await list(org.member)).toEqual(before)
  refused(await org.other.post('/drafts', { drafts: [toPlaza('x', { to: [org.cellar] })] }))
})

test("DRAFT-07: A changed draft is sent to all of the user's queues.", async () => {
  const [id] = await create(org.member, toPlaza('first'))
  const queue = await listen(org.member)
  succeeded(await org.member.patch(`/drafts/${id}`, { draft: toPlaza('second', { timestamp: 99 }) }))
  const draft = { id, ...toPlaza('second'), timestamp: 99 }
  expect(await queue.events()).toEqual([{ id: 0, type: 'drafts', op: 'update', draft }])
  refused(await org.member.patch(`/drafts/${id}`, { draft: { id, ...toPlaza('x') } }))
  refused(await org.member.patch(`/drafts/${id}`, {}), 'REQUEST_VARIABLE_MISSING')
})

test('DRAFT-08: Deleting a draft sends an event to the user’s queues, and deleting it again reports that it does not exist.', async () => {
  const [id] = await create(org.member, toPlaza('short lived'))
  const queue = await listen(org.member)
  succeeded(await org.member.delete(`/drafts/${id}`))
  expect(await queue.events()).toEqual([{ id: 0, type: 'drafts', op: 'remove', draft_id: id }])
  refused(await org.member.delete(`/drafts/${id}`), 'BAD_REQUEST', 404)
})

test('DRAFT-09: A draft that does not exist and another user’s draft are both reported as not found.', async () => {
  const [id] = await create(org.member, toPlaza('mine'))
  const draft = toPlaza('theirs')
  const missing = refused(await org.other.patch('/drafts/99999', { draft }), 'BAD_REQUEST', 404)
  expect(refused(await org.other.patch(`/drafts/${id}`, { draft }), 'BAD_REQUEST', 404)).toEqual(missing)
  refused(await org.other.delete(`/drafts/${id}`), 'BAD_REQUEST', 404)
})

test('DRAFT-10: If a user keeps drafts on their devices only, every request is rejected and no drafts are fetched.', async () => {
  const [id] = await create(org.guest, { type: '', to: [], topic: '', content: 'x' })
  succeeded(await org.guest.patch('/settings', { enable_drafts_synchronization: false }))
  const draft = { type: '', to: [], topic: '', content: 'y' }
  refused(await org.guest.get('/drafts'))
  refused(await org.guest.post('/drafts', { drafts: [draft] }))
  refused(await org.guest.patch(`/drafts/${id}`, { draft }))
  refused(await org.guest.delete(`/drafts/${id}`))
})

const required = ['type', 'to', 'topic', 'content']
test.each(required)(
  'DRAFT-11: A draft has a type, recipients, a topic and content, each of which is required (%s).',
  async (field) => {
    const { [field]: _left, ...draft } = toPlaza('incomplete') as Record<string, unknown>
    refused(await org.owner.post('/drafts', { drafts: [draft] }))
    const [id] = await create(org.owner, toPlaza('whole'))
    refused(await org.owner.patch(`/drafts/${id}`, { draft }))
    succeeded(await org.owner.patch(`/drafts/${id}`, { draft: toPlaza('whole again') }))
  },
)
