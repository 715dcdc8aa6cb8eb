import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'
import type { SyncedAccount } from './open-sync.ts'

/** The person whose account listens. */
export const ada = { email: 'ada@example.org', apiKey: 'k', userId: 1 }

/** A server with one channel, "tides", and one other person, Bo. */
export const startTides = (): Promise<ScriptedServer> =>
  startScriptedServer({
    subscriptions: [{ stream_id: 7, name: 'tides' }],
    realm_users: [{ user_id: 2, email: 'bo@example.org', full_name: 'Bo' }],
  })

/** A message of Bo in the channel, as the server sends it. */
export const message = (id: number, change: object = {}) => ({
  id,
  type: 'stream',
  content: `<p>message ${id}</p>`,
  timestamp: 1_700_000_000 + id,
  sender_id: 2,
  sender_email: 'bo@example.org',
  sender_full_name: 'Bo',
  display_recipient: 'tides',
  stream_id: 7,
  subject: 'ebb',
  flags: [],
  ...change,
})

/** The event of such a message. */
export const arrival = (id: number, change: object = {}) => ({
  type: 'message',
  message: message(id, change),
  flags: [],
})

/** The ids of the messages that an account has, in order. */
export const messageIds = (account: SyncedAccount): number[] =>
  account.rows<{ id: number }>('SELECT message_id AS id FROM messages ORDER BY 1').map(({ id }) => id)

/** What an account could not read, in the order of its first arrival. */
export const setAside = (account: SyncedAccount): { what: string; reason: string }[] =>
  account.rows('SELECT what, reason FROM set_aside ORDER BY number')
