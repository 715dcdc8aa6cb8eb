import { beforeAll, expect, test } from 'vitest'
import { organization, succeeded } from '../../support/organization.ts'

const org = organization({ configuration: { visibleMessages: 3 } })
const ids: number[] = []

beforeAll(async () => {
  for (const topic of ['Early', 'Plans', 'Plans', 'Plans', 'Late'])
    ids.push(await org.owner.send(org.plaza, topic, `in ${topic}`))
})

/** Which of the messages a page has, by their places in `ids`, and what it says of its oldest end. */
async function page(parameters: Record<string, unknown>, topic?: string) {
  const narrow = topic === undefined ? [] : [{ operator: 'topic', operand: topic }]
  const answer = succeeded(await org.owner.get('/messages', { num_after: 0, narrow, ...parameters }))
  return {
    has: answer['messages'].map(({ id }: { id: number }) => ids.indexOf(id)),
    oldest: answer['found_oldest'],
    limited: answer['history_limited'],
  }
}

test('READ-28: If a plan limits history, only the newest messages are on pages, and the oldest page says that older ones are not shown.', async () => {
  expect(await page({ anchor: 'newest', num_before: 2 })).toEqual({
    has: [3, 4],
    oldest: false,
    limited: false,
  })
  const all = { has: [2, 3, 4], oldest: true, limited: true }
  expect(await page({ anchor: 'newest', num_before: 9 })).toEqual(all)
  expect(await page({ anchor: 'oldest', num_before: 0, num_after: 9 })).toEqual(all)
  expect(await page({ anchor: ids[2], num_before: 9 })).toEqual({ ...all, has: [2] })
})

test('READ-29: A narrow is limited only if it has older messages.', async () => {
  const newest = { anchor: 'newest', num_before: 9 }
  expect(await page(newest, 'Late')).toEqual({ has: [4], oldest: true, limited: false })
  expect(await page(newest, 'Plans')).toEqual({ has: [2, 3], oldest: true, limited: true })
  expect(await page(newest, 'Early')).toEqual({ has: [], oldest: true, limited: true })
})

test('READ-30: Messages that a plan hides are returned by their ids.', async () => {
  const { messages } = succeeded(await org.owner.get('/messages', { message_ids: ids }))
  expect(messages).toHaveLength(ids.length)
})
