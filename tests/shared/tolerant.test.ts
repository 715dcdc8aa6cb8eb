import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseEvent } from '../../src-shared/api/events.ts'
import { readTolerantly } from '../../src-shared/api/tolerant.ts'

const schema = z.looseObject({
  id: z.int(),
  share: z.number().optional(),
  name: z.string(),
  ids: z.array(z.int()),
  note: z.string().optional(),
  kind: z.string().default('plain'),
  end: z.int().nullable(),
  holder: z.union([z.int(), z.object({ members: z.array(z.int()) })]).optional(),
  rows: z.array(z.looseObject({ id: z.int(), tags: z.array(z.string()) })).optional(),
})
const whole = { id: 7, name: 'tides', ids: [1], end: null }

const read = (change: object) => readTolerantly(schema, { ...whole, ...change }).read

test('a number as text is that number, wherever it stands', () => {
  expect(read({ id: '7', share: '0.25', ids: ['1', 2, '-3'] }).data).toMatchObject({
    id: 7,
    share: 0.25,
    ids: [1, 2, -3],
  })
  expect(read({ holder: '4' }).data?.holder).toBe(4)
  expect(read({ holder: { members: ['4'] } }).data?.holder).toEqual({ members: [4] })
  expect(read({ rows: [{ id: '1', tags: [] }] }).data?.rows).toEqual([{ id: 1, tags: [] }])
})

test('null is nothing or an empty list, where there is room for that', () => {
  expect(read({ note: null, kind: null, ids: null }).data).toEqual({
    ...whole,
    ids: [],
    kind: 'plain',
  })
  expect(read({ rows: [{ id: 1, tags: null }] }).data?.rows).toEqual([{ id: 1, tags: [] }])
})

test.each([
  ['text that is no number', { id: 'seven' }],
  ['a number that no number holds', { id: '9007199254740993' }],
  ['nothing where a number must be', { id: null }],
  ['nothing where a text must be', { name: null }],
  ['a row that is null', { rows: [null] }],
  ['another kind of value', { name: 7 }],
])('%s stays what it is', (_what, change) => {
  const value = { ...whole, ...change }
  expect(readTolerantly(schema, value).read.success).toBe(false)
  expect(readTolerantly(schema, value).value).toMatchObject(change)
})

test('what was given is not changed', () => {
  const value = { ...whole, id: '7', name: null }
  readTolerantly(schema, value)
  expect(value).toEqual({ ...whole, id: '7', name: null })
})

test('an event of a careless server is understood', () => {
  const event = {
    id: 3,
    type: 'update_message',
    user_id: '2',
    message_id: '7',
    message_ids: ['7', 8],
    orig_subject: null,
    subject: null,
    topic_links: null,
    flags: null,
  }
  const parsed = parseEvent(event)
  expect(parsed).toMatchObject({
    kind: 'known',
    event: { payload: { user_id: 2, message_id: 7, message_ids: [7, 8] } },
  })
  expect(parsed.kind === 'known' && 'subject' in parsed.event.payload).toBe(false)
})

test('nesting without an end beside a fault is a fault like any other', () => {
  const depth = 100_000
  const nested: unknown = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
  expect(read({ id: '7', nested }).data).toMatchObject({ id: 7 })
  expect(read({ id: 'seven', nested }).success).toBe(false)
})
