import { expect, test } from 'vitest'
import { userId } from '../../src-shared/ids.ts'
import type { FrequentPerson } from '../../src-shared/model/user.ts'
import { mostFrequent } from '../../src-renderer/views/all-organizations/frequent-people.ts'

const person = (id: number, fullName: string, messageCount: number): FrequentPerson => ({
  userId: userId(id),
  fullName,
  avatarUrl: null,
  isBot: false,
  isGuest: false,
  isActive: true,
  isSelf: false,
  presence: 'offline',
  timezone: '',
  status: null,
  messageCount,
  unreadCount: 0,
})

test('people of several organizations are in one list, and namesakes say where they are from', () => {
  const coast = { id: 'coast' }
  const kelp = { id: 'kelp' }
  const rows = mostFrequent(
    [
      { account: coast, people: [person(1, 'Keiko', 9), person(2, 'Odhran', 4), person(3, 'Yusuf', 1)] },
      { account: kelp, people: [person(1, 'Aroha', 7), person(2, 'Keiko', 2)] },
    ],
    4,
  )
  expect(rows.map(({ key, isNamesake }) => [key, isNamesake])).toEqual([
    ['coast 1', true],
    ['kelp 1', false],
    ['coast 2', false],
    ['kelp 2', true],
  ])
  expect(mostFrequent([{ account: kelp, people: [] }], 4)).toEqual([])
})
