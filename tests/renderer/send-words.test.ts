import { describe, expect, test } from 'vitest'
import type { ActionName } from '../../src-shared/bridge/actions.ts'
import { hasWordsOfMessage, outboxWords, sendWords } from '../../src-renderer/views/feed/send-words.ts'
import { whenBack } from '../../src-renderer/state/signed-out.ts'
import { untried } from '../support/send-state.ts'

const online = whenBack(false)

describe('sendWords', () => {
  test('says what is true now', () => {
    expect(sendWords(untried, online).text).toBe('Queued, sends when you’re back online')
    // Being online is not enough while the server no longer accepts the key.
    expect(sendWords(untried, whenBack(true)).text).toBe('Queued, sends once you sign in')
    expect(sendWords({ ...untried, isBehindAnother: true, isBehindCreation: true }, online).text).toBe(
      'Queued, sends after the channel is created',
    )
    expect(sendWords({ ...untried, isBehindAnother: true }, online).text).toBe(
      'Queued, sends after the message above',
    )
    expect(sendWords({ ...untried, attempts: 2 }, null).text).toBe('Trying to send, attempt 3')
    expect(sendWords({ ...untried, state: 'refused', reason: 'Only moderators can post.' }, null).text).toBe(
      'Not sent. Only moderators can post.',
    )
    expect(sendWords({ ...untried, state: 'unsure' }, null).text).toBe('Checking whether it was sent')
    expect(sendWords({ ...untried, state: 'unsure' }, online)).toEqual({
      kind: 'queued',
      text: 'May have arrived, checked when you’re back online',
    })
  })
  test('says what may be there already, and what to do', () => {
    const told = (action: ActionName) =>
      outboxWords({ action, state: { ...untried, state: 'unsure', reason: 'undecided' } }, null).text
    expect(told('send-message')).toBe('It may have been sent. Check, then retry or discard.')
    expect(told('schedule-message')).toContain('It may be scheduled already')
    expect(told('remind-me')).toContain('It may be set already')
    expect(told('save-snippet')).toContain('It may be saved already')
    const asked = { action: 'save-snippet', state: { ...untried, state: 'unsure' } } as const
    expect(outboxWords(asked, null).text).toBe('Checking whether it was saved')
  })
  test('calls what is no message not sent, but what its reason says', () => {
    const reason = 'Not created. A channel named #tides already exists.'
    const refused = { ...untried, state: 'refused', reason } as const
    expect(outboxWords({ action: 'create-channel', state: refused }, null).text).toBe(reason)
    expect(outboxWords({ action: 'react', state: { ...refused, reason: null } }, null).text).toBe(
      'The server refused this change.',
    )
    expect(outboxWords({ action: 'send-message', state: refused }, null).text).toBe(`Not sent. ${reason}`)
    expect(outboxWords({ action: 'create-channel', state: untried }, online).text).toBe(
      'Queued, sends when you’re back online',
    )
  })
})

test('titles with words of a message or an emoji are told from those that are names', () => {
  const all: (ActionName | null)[] = [
    'send-message',
    'remind-me',
    'react',
    'set-alert-word',
    'save-snippet',
    null,
  ]
  expect(all.filter(hasWordsOfMessage)).toEqual(['send-message', 'remind-me', 'react'])
})
