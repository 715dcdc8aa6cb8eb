import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { accountId, userId } from '../../src-shared/ids.ts'
import { createOwnAddress } from '../../src-main/engine/own-address.ts'
import { openStore, type Store } from '../../src-main/store/database.ts'
import { putUser, updateUser } from '../../src-main/store/users.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let directory: string
let store: Store

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  store = openStore(join(directory, 'account.db'), () => {})
})
afterEach(() => store.close())

test('an answer under the old address that comes after the new one was heard does not take it back', () => {
  store.write((db) =>
    putUser(db, {
      ...{ id: 1, email: 'old@example.org', deliveryEmail: 'old@example.org', fullName: 'Ada', role: 400 },
      ...{ isBot: false, isActive: true, avatarUrl: null, timezone: '', botOwnerId: null, joinedAt: null },
      profile: '{}',
    }),
  )
  const kept: string[] = []
  const known = {
    ...{ id: accountId('here'), baseUrl: 'https://chat.example', email: 'old@example.org' },
    ...{ userId: userId(1), fullName: 'Ada', organizationName: 'Skerry' },
    ...{ organizationIconUrl: null, isDemo: false },
  }
  const address = createOwnAddress({ known, store, changed: () => kept.push(address.kept) })
  const used = address.current
  store.write((db) => updateUser(db, 1, { email: 'new@example.org', deliveryEmail: 'new@example.org' }))
  expect(address.current).toBe('new@example.org')
  address.accepted(used)
  expect(address.current).toBe('new@example.org')
  expect(kept).toEqual(['new@example.org'])
  // One that is tried because the other was refused is kept as soon as it is accepted.
  store.write((db) => updateUser(db, 1, { email: 'user1@hidden.invalid' }))
  expect(address.refused('new@example.org')).toBe(true)
  expect(address.current).toBe('user1@hidden.invalid')
  address.accepted('user1@hidden.invalid')
  expect(kept).toEqual(['new@example.org', 'user1@hidden.invalid'])
})
