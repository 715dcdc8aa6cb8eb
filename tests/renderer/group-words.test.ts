import { expect, test } from 'vitest'
import { byReach } from '../../src-renderer/state/group-words.ts'

test('system groups are offered by how many people they reach, before the others', () => {
  const names = ['role:administrators', '@data', 'role:fullmembers', 'role:members', '@boats', 'role:owners']
  expect(
    names
      .map((name) => ({ name }))
      .sort(byReach)
      .map(({ name }) => name),
  ).toEqual(['role:members', 'role:fullmembers', 'role:administrators', 'role:owners', '@data', '@boats'])
})
