import { expect, test } from 'vitest'
import { z } from 'zod'
import { unknownFields } from '../../../src-shared/api/unknown-fields.ts'

const schema = z.looseObject({
  id: z.int(),
  people: z.array(z.looseObject({ name: z.string().optional() })).default([]),
  places: z.record(z.string(), z.looseObject({ x: z.number() })).optional(),
  target: z.union([z.looseObject({ channel: z.int() }), z.looseObject({ user: z.int() })]).nullish(),
  anything: z.unknown().optional(),
  renamed: z.preprocess((value) => value, z.looseObject({ level: z.int() })).optional(),
  doubled: z
    .int()
    .transform((value) => ({ value, twice: 2 * value }))
    .optional(),
})
const unknownIn = (value: object) => unknownFields(schema, schema.parse({ id: 1, ...value }))

test('what a schema mentions is known', () => {
  const places = { here: { x: 1 } }
  const rest = { anything: { of: ['any', { kind: 1 }] }, renamed: { level: 3 }, doubled: 4 }
  expect(unknownIn({ people: [{ name: 'Ada' }, {}], places, target: { user: 2 }, ...rest })).toEqual([])
  expect(unknownIn({ target: { channel: 2 } })).toEqual([])
  expect(unknownIn({ target: null })).toEqual([])
})

test('what it does not mention is named once, with its path', () => {
  const people = [
    { name: 'Ada', mood: 'calm' },
    { mood: 'wild', age: 3 },
  ]
  expect(unknownIn({ tea: 1, people })).toEqual(['people.mood', 'people.age', 'tea'])
  expect(unknownIn({ places: { here: { x: 1, y: 2 } } })).toEqual(['places.y'])
  expect(unknownIn({ target: { user: 2, since: 1 }, renamed: { level: 1, name: 'a' } })).toEqual([
    'target.since',
    'renamed.name',
  ])
  expect(unknownIn(JSON.parse('{"__proto__": 1, "constructor": 2}'))).toEqual(['constructor'])
})
