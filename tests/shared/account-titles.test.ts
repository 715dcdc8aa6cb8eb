import { expect, test } from 'vitest'
import { distinctionOf, lastOfTitle, withTitles } from '../../src-shared/model/account-titles.ts'
import type { Account } from '../../src-shared/model/account.ts'

/** An account with what its title depends on. */
const account = (id: string, organizationName: string, host: string, fullName = 'Ada Asker') =>
  ({
    id,
    organizationName,
    fullName,
    baseUrl: `https://${host}/api/v1`,
    email: `${id}@example.org`,
  }) as Account

test('the title of an account says as much as distinguishes it from the others', () => {
  const titles = (...accounts: Account[]) => withTitles(accounts).map(({ title }) => title)
  const coast = account('a', 'Coast Survey', 'coast.example')
  expect(titles(coast, account('b', 'Tide Lab', 'tide.example'))).toEqual(['Coast Survey', 'Tide Lab'])
  expect(titles(coast, account('b', 'Coast Survey', 'coast.example', 'Ben Bold'))).toEqual([
    'Coast Survey, Ada Asker',
    'Coast Survey, Ben Bold',
  ])
  expect(titles(coast, account('b', 'Coast Survey', 'trial.example:9991'))).toEqual([
    'Coast Survey, Ada Asker, coast.example',
    'Coast Survey, Ada Asker, trial.example:9991',
  ])
  expect(titles(coast, account('b', 'Coast Survey', 'coast.example'))).toEqual([
    'Coast Survey, Ada Asker, a@example.org',
    'Coast Survey, Ada Asker, b@example.org',
  ])
  const north = account('a', 'Coast Survey', 'coast.example/north')
  expect(
    titles(north, { ...north, id: 'b' as typeof north.id, baseUrl: 'https://coast.example/south' }),
  ).toEqual([
    'Coast Survey, Ada Asker, coast.example/north/api/v1',
    'Coast Survey, Ada Asker, coast.example/south',
  ])
})

test('what a title adds to the name of the organization stands alone where the name is above it', () => {
  const [alone] = withTitles([account('a', 'Coast Survey', 'coast.example')])
  const [one] = withTitles([
    account('a', 'Coast Survey', 'coast.example'),
    account('b', 'Coast Survey', 'trial.example'),
  ])
  expect([alone && distinctionOf(alone), one && distinctionOf(one)]).toEqual([
    null,
    'Ada Asker, coast.example',
  ])
  expect([alone && lastOfTitle(alone), one && lastOfTitle(one)]).toEqual(['Coast Survey', 'coast.example'])
})
