import { afterEach, expect, test } from 'vitest'
import { markPlaceRead } from '../../src-renderer/state/reading/mark-read.ts'
import { toasts } from '../../src-renderer/state/toast.svelte.ts'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { accountId, channelId } from '../../src-shared/ids.ts'

// What is said after somebody has marked a place as read.

afterEach(() => toasts.close())

const place = { narrow: { kind: 'channel', channelId: channelId(9) }, name: 'gauges' } as const

/** Marks a channel as read; returns the changes that were made. */
async function marked(markUnread: boolean): Promise<unknown[]> {
  const changes: unknown[] = []
  const answers: Readonly<Record<string, unknown>> = {
    'unread-ids': [4, 7],
    permissions: { messages: { markUnread } },
  }
  const bridge = {
    watch(name: string, _params: object, onValue: (value: unknown) => void) {
      queueMicrotask(() => onValue(answers[name]))
      return () => {}
    },
    async call(_name: string, { action }: { action: unknown }) {
      changes.push(action)
      return { localId: `change ${changes.length}` }
    },
  } as unknown as Bridge
  await markPlaceRead(bridge, accountId('here'), place)
  // Once the server refuses the change, nothing is said of it any more.
  expect(toasts.current?.change).toEqual({ accountId: 'here', localId: 'change 1' })
  toasts.current?.undo?.()
  return changes
}

const read = { name: 'mark-narrow-read', narrow: place.narrow, upTo: 7 }

test('what was marked as read can be marked as unread again', async () => {
  expect(await marked(true)).toEqual([read, { name: 'mark-unread', messageIds: [4, 7] }])
})

test('where nothing can be marked as unread, that is not offered', async () => {
  expect(await marked(false)).toEqual([read])
  expect(toasts.current).toMatchObject({ undo: null })
})
