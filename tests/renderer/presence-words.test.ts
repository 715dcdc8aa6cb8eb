import { expect, test } from 'vitest'
import { dayMs, minuteMs } from '../../src-shared/durations.ts'
import type { DirectPerson } from '../../src-shared/model/user.ts'
import { presenceLine } from '../../src-renderer/views/feed/presence-words.ts'

test('a heading names the people whose presence it tells, unless it is the name of the only one', () => {
  const now = 10 * dayMs
  const person = (fullName: string, presence: string, minutesAgo: number | null) =>
    ({
      ...{ fullName, presence, isBot: false, isSelf: false, isActive: true },
      activeAt: minutesAgo === null ? null : now - minutesAgo * minuteMs,
    }) as DirectPerson
  const ines = person('Ines', 'active', 0)
  const tomasz = person('Tomasz', 'offline', 12)
  expect(presenceLine([ines, tomasz], now)).toBe('Ines is active, Tomasz was active 12 min ago')
  expect(presenceLine([ines], now)).toBe('Active now')
  expect(presenceLine([tomasz], now)).toBe('Active 12 min ago')
  expect(presenceLine([person('Ines', 'offline', 3 * 60)], now)).toBe('Active 3 h ago')
  expect(presenceLine([person('Ines', 'offline', 50 * 60)], now)).toBe('Active 2 days ago')
  expect(presenceLine([person('Ines', 'idle', null)], now)).toBe('Idle')
  expect(presenceLine([person('Ines', 'offline', null)], now)).toBe('')
})
