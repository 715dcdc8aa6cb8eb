import { expect, test } from 'vitest'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'

const org = organization()

const step = (who: Person, message_id: number, content: unknown, msg_type = 'widget') =>
  who.post('/submessage', {
    message_id,
    msg_type,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  })
const stepsOf = async (who: Person, id: number): Promise<{ content: string; sender_id: number }[]> =>
  succeeded(await who.get(`/messages/${id}`)).message.submessages
const poll = () => org.member.send(org.plaza, 'lunch', '/poll Where to?\nHarbour\n* Park')
const todo = () => org.member.send(org.plaza, 'lunch', '/todo Picnic\nBread: two loaves\nBlanket')

test('WIDGET-01: A message that begins with /poll holds its question and options in a first submessage.', async () => {
  const [first] = await stepsOf(org.other, await poll())
  expect(JSON.parse(first?.content ?? '')).toEqual({
    widget_type: 'poll',
    extra_data: { question: 'Where to?', options: ['Harbour', 'Park'] },
  })
  expect(first).toMatchObject({ sender_id: org.member.id, msg_type: 'widget' })
})

test('WIDGET-02: A message that begins with /todo holds its title and tasks.', async () => {
  const [first] = await stepsOf(org.other, await todo())
  expect(JSON.parse(first?.content ?? '')).toEqual({
    widget_type: 'todo',
    extra_data: {
      task_list_title: 'Picnic',
      tasks: [
        { task: 'Bread', desc: 'two loaves' },
        { task: 'Blanket', desc: '' },
      ],
    },
  })
})

test('WIDGET-03: A vote is stored with the message and is an event to all users who have the message.', async () => {
  const id = await poll()
  const queue = await org.admin.register({ event_types: ['submessage'] })
  const outside = await org.guest.register({ event_types: ['submessage'] })
  const vote = { type: 'vote', key: 'canned,0', vote: 1 }
  succeeded(await step(org.other, id, vote))
  const steps = await stepsOf(org.admin, id)
  expect(JSON.parse(steps[1]?.content ?? '')).toEqual(vote)
  expect(await queue.events()).toEqual([
    {
      type: 'submessage',
      id: 0,
      message_id: id,
      submessage_id: expect.any(Number),
      sender_id: org.other.id,
      msg_type: 'widget',
      content: JSON.stringify(vote),
    },
  ])
  expect(await outside.events()).toEqual([])
})

test('WIDGET-10: Voting counts as participation, and follows the topic if the user’s policy is to follow on participation.', async () => {
  const vote = { type: 'vote', key: 'canned,0', vote: 1 }
  const choose = async (automatically_follow_topics_policy: number) =>
    succeeded(await org.other.patch('/settings', { automatically_follow_topics_policy }))
  const queue = await org.other.listen({ event_types: ['user_topic'] })
  const id = await poll()
  await choose(2)
  succeeded(await step(org.other, id, vote))
  await choose(1)
  succeeded(await step(org.other, id, { type: 'new_option', idx: 2, option: 'Beach' }))
  expect(await queue.events()).toEqual([])
  succeeded(await step(org.other, id, vote))
  succeeded(await step(org.other, id, vote))
  expect(await queue.events()).toMatchObject([
    { stream_id: org.plaza, topic_name: 'lunch', visibility_policy: 3 },
  ])
})

test('WIDGET-04: Any reader can vote and add options; only the author can change the question.', async () => {
  const id = await poll()
  succeeded(await step(org.other, id, { type: 'new_option', idx: 1, option: 'Beach' }))
  refused(await step(org.other, id, { type: 'question', question: 'Why?' }))
  succeeded(await step(org.member, id, { type: 'question', question: 'Why?' }))
  expect(await stepsOf(org.other, id)).toHaveLength(3)
})

test('WIDGET-05: Any reader can add and tick tasks; only the author can change the title.', async () => {
  const id = await todo()
  succeeded(await step(org.other, id, { type: 'new_task', key: 0, task: 'Jam', desc: '', completed: false }))
  succeeded(await step(org.other, id, { type: 'strike', key: '0,canned' }))
  refused(await step(org.other, id, { type: 'new_task_list_title', title: 'Feast' }))
  succeeded(await step(org.member, id, { type: 'new_task_list_title', title: 'Feast' }))
})

test('WIDGET-06: Missing or extra keys, values out of range, submessages of another widget and invalid JSON are rejected.', async () => {
  const id = await poll()
  for (const wrong of [
    { type: 'vote', key: 'canned,0' },
    { type: 'vote', key: 'canned,0', vote: 2 },
    { type: 'vote', key: 0, vote: 1 },
    { type: 'vote', key: 'canned,0', vote: 1, more: true },
    { type: 'new_option', idx: 1001, option: 'x' },
    { type: 'new_option', idx: -1, option: 'x' },
    { type: 'strike', key: '0,canned' },
    { type: 'unknown' },
    [],
    'not json',
  ])
    refused(await step(org.other, id, wrong))
  refused(await step(org.other, id, { type: 'vote', key: 'canned,0', vote: 1 }, 'gadget'))
  expect(await stepsOf(org.other, id)).toHaveLength(1)
})

test('WIDGET-07: Only its author can add the first submessage to an ordinary message.', async () => {
  const id = await org.member.send(org.plaza, 'lunch', 'no widget')
  refused(await step(org.other, id, { type: 'anything' }))
  succeeded(await step(org.member, id, { type: 'anything' }))
  succeeded(await step(org.other, id, { type: 'an answer' }))
})

test('WIDGET-08: A message the user cannot read accepts no submessage.', async () => {
  const id = await org.owner.send(org.cellar, 'lunch', '/poll Secret?')
  refused(await step(org.other, id, { type: 'vote', key: 'canned,0', vote: 1 }))
  refused(await step(org.other, 99_999, { type: 'vote', key: 'canned,0', vote: 1 }))
})

test('WIDGET-09: A submessage is at most as long as a message.', async () => {
  const id = await org.member.send(org.plaza, 'lunch', 'no widget')
  refused(await step(org.member, id, { type: 'x'.repeat(100_000) }))
  expect(await stepsOf(org.other, id)).toEqual([])
})
