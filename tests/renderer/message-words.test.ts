import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newMessage } from '../../src-renderer/state/writing/new-message.svelte.ts'
import { openCompose } from '../../src-renderer/state/writing/open-compose.ts'
import { pickedDrafts } from '../../src-renderer/state/writing/picked-drafts.svelte.ts'
import { route, type Route } from '../../src-renderer/state/navigation/route.svelte.ts'
import { toasts } from '../../src-renderer/state/toast.svelte.ts'
import { MessageWords } from '../../src-renderer/views/feed/message-words.ts'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { accountId, userId } from '../../src-shared/ids.ts'
import type { Account } from '../../src-shared/model/account.ts'
import { conversationKey, type Conversation } from '../../src-shared/model/conversation.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import { plainMessage } from './plain-message.ts'

const ines: Conversation = { kind: 'direct', userIds: [userId(9)] }
const placeOf = (narrow: Narrow): Route => ({ view: 'feed', accountId: accountId('a'), narrow, near: null })

beforeEach(() => vi.stubGlobal('document', { activeElement: null, body: null, querySelector: () => null }))
afterEach(async () => {
  vi.unstubAllGlobals()
  toasts.close()
  await newMessage.close()
  pickedDrafts.pick('a', plainMessage.conversation, 'newest')
  route.current = null
})

/** A window in a place, in which the server answers for the source of a message when it is told to. */
function reading(narrow: Narrow) {
  const saved: unknown[] = []
  let answer = (_: { content: string }) => {}
  const source = new Promise<{ content: string }>((resolve) => (answer = resolve))
  const bridge = {
    call: async (name: string, input: { draft: { recipient: unknown; content: string } }) => {
      if (name === 'message-source') return source
      if (name === 'save-draft') saved.push([input.draft.recipient, input.draft.content])
      return { draftId: 'd1', ...input.draft }
    },
    watch: (_name: string, _params: unknown, onValue: (value: unknown) => void) => {
      queueMicrotask(() => onValue({ id: 'd1', recipient: plainMessage.conversation, content: 'So:' }))
      return () => {}
    },
    opening: () => null,
    reconnect: () => {},
  } as unknown as Bridge
  route.current = placeOf(narrow)
  const words = new MessageWords({
    bridge,
    accountId: 'a',
    narrow,
    account: () => ({ baseUrl: 'https://acme.example', userId: userId(3) }) as Account,
    uses24HourClock: () => true,
    attempt: (work) => work(),
  })
  /** Goes to a conversation, which has a field to write in. */
  const goTo = (conversation: Conversation) => {
    route.current = placeOf(conversation)
    const field = {
      text: 'So:',
      focus: vi.fn(),
      append: vi.fn(),
      isFor: (account: string, one: Conversation) =>
        account === 'a' && conversationKey(one) === conversationKey(conversation),
    }
    const write = (text: string) => (field.text = text)
    return { ...field, write, stop: openCompose.offer(field) }
  }
  return { words, saved, goTo, answer: () => answer({ content: 'Thursday, *six*.' }) }
}
const quote = expect.stringContaining('```quote\nThursday, *six*.\n```')

test('a quote that waits for its words goes into the draft of its conversation, wherever the person is by then', async () => {
  const { words, saved, goTo, answer } = reading(plainMessage.conversation)
  const own = goTo(plainMessage.conversation)
  words.quote(plainMessage)
  // What is typed meanwhile is text.
  await vi.waitFor(() => expect(own.focus).toHaveBeenCalledOnce())
  own.stop()
  const other = goTo(ines)
  const place = route.current
  answer()
  await vi.waitFor(() => expect(saved).toEqual([[plainMessage.conversation, quote]]))
  expect(saved).toEqual([[plainMessage.conversation, expect.stringMatching(/^So:\n\n/)]])
  expect([other.append.mock.calls, other.focus.mock.calls]).toEqual([[], []])
  await vi.waitFor(() => expect(toasts.current?.to).toEqual(placeOf(plainMessage.conversation)))
  expect(route.current).toBe(place)
  other.stop()
})

test('a quote goes behind what was in the field when it was asked for', async () => {
  const { words, goTo, answer } = reading(plainMessage.conversation)
  const own = goTo(plainMessage.conversation)
  words.quote(plainMessage)
  answer()
  await vi.waitFor(() =>
    expect(own.append).toHaveBeenCalledWith(quote, { takesFocus: expect.any(Boolean), beginning: 'So:' }),
  )
  own.stop()
})

test('a quote that is asked for meanwhile goes behind the one before it', async () => {
  const { words, goTo, answer } = reading(plainMessage.conversation)
  const own = goTo(plainMessage.conversation)
  words.quote(plainMessage)
  words.quote(plainMessage)
  own.append.mockImplementationOnce(() => own.write('So: one'))
  answer()
  await vi.waitFor(() => expect(own.append).toHaveBeenCalledTimes(2))
  const beginnings = own.append.mock.calls.map(([, how]: { beginning: string }[]) => how?.beginning)
  expect(beginnings).toEqual(['So:', 'So: one'])
  own.stop()
})

test('a quote goes into the field of whoever came back to its conversation, and does not take the focus', async () => {
  const { words, saved, goTo, answer } = reading({ kind: 'combined' })
  words.quote(plainMessage)
  const own = goTo(plainMessage.conversation)
  answer()
  await vi.waitFor(() =>
    expect(own.append).toHaveBeenCalledWith(quote, expect.objectContaining({ takesFocus: false })),
  )
  expect(saved).toEqual([])
  own.stop()
})

test('a quote in a new message waits in the message that it was begun in', async () => {
  const { words, answer } = reading({ kind: 'combined' })
  words.forward(plainMessage)
  const begun = newMessage.text
  expect(begun?.text).toBe('')
  // It was given up, and another is written to somebody.
  await newMessage.close()
  newMessage.open({} as Bridge, 'a', { kind: 'direct', people: [] }, { text: '', draftId: null })
  answer()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([begun?.text, newMessage.text?.text]).toEqual(['', ''])
})
