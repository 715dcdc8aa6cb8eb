import { serveBridge, type BridgeServer } from '../src-shared/bridge/serve.ts'
import type { FromWindow } from '../src-shared/bridge/protocol.ts'
import type { ParamsOf, QueryName } from '../src-shared/bridge/queries.ts'
import type { AccountId } from '../src-shared/ids.ts'

/** What an open window has received. */
export interface OpenWindow {
  readonly updates: number
  readonly characters: number
}

/**
 * Opens what a real window watches: its settings, the connection, the sidebar and the people, and both lists of
 * conversations, of which a real one shows one at a time. What arrives is only counted, because a real window reads it in
 * a process of its own.
 */
export function openWindow(engine: BridgeServer, accountId: AccountId): OpenWindow {
  const listeners = new Set<(text: string) => void>()
  const received = { updates: 0, characters: 0 }
  serveBridge(
    {
      send(text) {
        received.updates++
        received.characters += text.length
      },
      onMessage(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      onClose: () => () => {},
    },
    engine,
    (line) => process.stderr.write(`${line}\n`),
  )
  let id = 0
  const watch = <N extends QueryName>(name: N, params: ParamsOf<N>) => {
    const message: FromWindow = { kind: 'watch', id: ++id, name, params }
    for (const listener of listeners) listener(JSON.stringify(message))
  }
  watch('device-settings', {})
  watch('accounts', {})
  watch('notices', {})
  watch('account-settings', { accountId })
  watch('sync-state', { accountId })
  watch('sidebar', { accountId })
  watch('people', { accountId, narrow: null, text: '' })
  watch('unsaved-edits', { accountId })
  watch('inbox', { accountId, filter: 'all' })
  watch('recent-conversations', {
    accountId,
    filter: { withDirects: true, withMuted: false, onlyUnread: false, onlyOwn: false, text: '' },
    order: 'newest',
    limit: 60,
  })
  return received
}
