import type { AboutApp } from '../../../src-shared/bridge/calls.ts'
import type { Storage } from '../../../src-shared/bridge/queries.ts'
import type { SyncState } from '../../../src-shared/model/account.ts'

/** What helps to find a fault, as text for a report; nothing in it tells who the person is or what was written. */
export function diagnosticsText(about: AboutApp, storage: Storage, sync: SyncState | undefined): string {
  const lines = {
    Dunlin: about.version,
    'Runs on': about.runtime,
    'Server version': storage.serverVersion,
    'Feature level': storage.featureLevel,
    Connection: sync?.status ?? 'unknown',
    Waiting: sync?.waiting ?? 0,
    'Needs a decision': sync?.needsYou ?? 0,
    Messages: storage.messages,
    'File, bytes': storage.bytes,
    'Set aside': storage.setAside,
  }
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
