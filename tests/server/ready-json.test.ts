import { expect, test } from 'vitest'
import { answerText, jsonOf, readyJson } from '../../src-server/events/ready-json.ts'

test('an answer says the same whether or not the JSON of its parts was known', () => {
  const person = { user_id: 1, full_name: 'Å "quoted"', left_out: undefined }
  const other = { user_id: 2 }
  const answer = () => ({
    result: 'success',
    people: [person, other, null, [3], undefined],
    none: [],
    left_out: undefined,
    count: 3,
    'odd "name"': [other],
  })
  const plain = JSON.parse(JSON.stringify(answer())) as unknown
  expect(JSON.parse(answerText(answer()))).toEqual(plain)
  jsonOf(person)
  expect(answerText(answer())).toContain(jsonOf(person))
  expect(JSON.parse(answerText(answer()))).toEqual(plain)
  jsonOf(other)
  expect(JSON.parse(answerText(answer()))).toEqual(plain)
})

test('the words that an object has for itself are those that are sent', () => {
  const event = { type: 'heartbeat', id: 4, [readyJson]: '{"type":"heartbeat","id":4 }' }
  expect(answerText({ events: [event] })).toBe('{"events":[{"type":"heartbeat","id":4 }]}')
})
