import { expect, test } from 'vitest'
import { historyWords } from '../../src-renderer/state/history-words.ts'

test('what comes to this device is said in the order in which it does', () => {
  expect(historyWords({ step: 'newest' })).toMatch(/newest messages come first/)
  expect(historyWords({ step: 'unread', conversations: 12 })).toMatch(/12 conversations to go/)
  expect(historyWords({ step: 'earlier', share: 0.347 })).toMatch(/35%/)
})
