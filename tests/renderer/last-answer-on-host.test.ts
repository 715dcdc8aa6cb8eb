// @vitest-environment node
import { expect, test } from 'vitest'
import { LastAnswer } from '../../src-renderer/state/data/last-answer.svelte.ts'

// Compiled as for the host, which draws the first picture and runs no effects.

test('the first picture shows an answer that is known already', () => {
  expect(new LastAnswer(() => 'one').current).toBe('one')
})
