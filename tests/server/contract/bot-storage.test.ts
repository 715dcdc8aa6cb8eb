import { expect, test } from 'vitest'
import { organization, refused, succeeded, type Fields, type Person } from '../../support/organization.ts'

// What a bot keeps with the service for itself: texts by name.

const org = organization()
const path = '/bot_storage'
const keep = (storage: Fields, who: Person = org.bot) => who.put(path, { storage })
const kept = async (fields: Fields = {}, who: Person = org.bot) =>
  succeeded(await who.get(path, fields)).storage

test('BOTSTORE-01: Stored values persist until they are overwritten or removed, all at once or by name.', async () => {
  expect(await kept()).toEqual({})
  expect(succeeded(await keep({ tide: 'low', wind: 'north', '': 'nameless' }))).toEqual({
    result: 'success',
    msg: '',
  })
  succeeded(await keep({ tide: 'high' }))
  expect(await kept()).toEqual({ tide: 'high', wind: 'north', '': 'nameless' })
  expect(await kept({ keys: ['wind', ''] })).toEqual({ wind: 'north', '': 'nameless' })
  succeeded(await org.bot.delete(path, { keys: ['wind', 'wind'] }))
  expect(await kept()).toEqual({ tide: 'high', '': 'nameless' })
  succeeded(await org.bot.delete(path))
  expect(await kept()).toEqual({})
})

test('BOTSTORE-02: A request with an unknown name is rejected, and nothing is returned or removed.', async () => {
  succeeded(await keep({ tide: 'low' }))
  refused(await org.bot.get(path, { keys: ['tide', 'wind'] }))
  refused(await org.bot.delete(path, { keys: ['tide', 'wind'] }))
  expect(await kept()).toEqual({ tide: 'low' })
  for (const storage of ['text', ['tide'], { tide: 1 }, null]) refused(await org.bot.put(path, { storage }))
  refused(await org.bot.put(path), 'REQUEST_VARIABLE_MISSING')
  expect(await kept()).toEqual({ tide: 'low' })
})

test('BOTSTORE-03: Each bot has its own storage, human users have none, and a POST with method=PUT acts as a PUT.', async () => {
  const other = org.joinBot('Otis Bot', org.other)
  succeeded(await keep({ tide: 'mine' }))
  succeeded(await other.post(path, { method: 'PUT', storage: { tide: 'yours' } }))
  expect([await kept(), await kept({}, other)]).toEqual([{ tide: 'mine' }, { tide: 'yours' }])
  succeeded(await other.delete(path))
  expect(await kept()).toEqual({ tide: 'mine' })
  for (const who of [org.owner, org.guest]) {
    refused(await keep({ tide: 'low' }, who))
    refused(await who.get(path))
    refused(await who.delete(path))
  }
})

test('BOTSTORE-04: Ten million characters fit, and a request that exceeds this by one changes nothing.', async () => {
  succeeded(await org.bot.delete(path))
  const letters = 'x'.repeat(1_600_000)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) succeeded(await keep({ [name]: letters }))
  // With six names of a letter each.
  const rest = 10_000_000 - 6 * 1_600_001
  refused(await keep({ g: 'x'.repeat(rest) }))
  expect(Object.keys(await kept())).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  succeeded(await keep({ g: 'x'.repeat(rest - 1) }))
})
