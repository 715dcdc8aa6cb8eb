import { z } from 'zod'
import {
  accountIdSchema,
  channelIdSchema,
  draftIdSchema,
  localIdSchema,
  messageIdSchema,
} from './id-schemas.ts'
import type { AccountId, DraftId, LocalId, MessageId } from '../ids.ts'
import type { Organization } from '../model/account.ts'
import { usualNetwork, type AccountNetwork } from '../model/network.ts'
import type { Draft, DraftContent } from '../model/draft.ts'
import type { MessageVersion } from '../model/message.ts'
import type { Person } from '../model/user.ts'
import { actionSchema, type ActionInput } from './actions.ts'
import type { SearchResult } from '../model/search-results.ts'
import {
  accountNetworkSchema,
  conversationSchema,
  draftContentSchema,
  narrowSchema,
  searchTextSchema,
  writingPlaceSchema,
  writtenText,
} from './schemas.ts'
import { deviceSettingForms } from './settings.ts'

const account = z.object({ accountId: accountIdSchema })
const address = z.string().min(1).max(2_000)
const fileId = z.string().regex(/^[a-z0-9]{1,40}$/)
const secret = z.string().min(1).max(1_000)
const credentials = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('password'), email: z.string().min(1).max(500), password: secret }),
  z.object({ kind: z.literal('api-key'), email: z.string().min(1).max(500), apiKey: secret }),
])

const network = accountNetworkSchema.default(usualNetwork)

/** The direct calls: what has an answer, or what concerns this device only. */
export const calls = {
  /** Asks an address what it is; needs the network. */
  'find-organization': z.object({ address, network }),
  'sign-in': z.object({ baseUrl: address, credentials, network }),
  /** How the account's requests travel, and which authorities it trusts beside the usual ones. */
  'read-network': account,
  /** From now on its requests travel this way. */
  'set-network': account.extend({ network: accountNetworkSchema }),
  /** New credentials for an account whose key is refused. */
  'sign-in-again': account.extend({ credentials }),
  /** Removes the account and its file from this device; refused while something waits, unless `discard`. */
  'sign-out': account.extend({ discard: z.boolean() }),
  /** Starts the embedded service with the demo workspace and signs in to it. */
  'start-demo': z.object({}),

  /** Puts an action into the outbox; returns once it is on disk. */
  act: account.extend({ action: actionSchema }),
  'retry-outbox-item': account.extend({ localId: localIdSchema }),
  'discard-outbox-item': account.extend({ localId: localIdSchema }),
  /** Other words or another moment for a message that is to be sent later and that the server does not know yet. */
  'change-later': account.extend({
    localId: localIdSchema,
    content: writtenText.min(1),
    sendAt: z.int().min(0),
  }),
  /** Takes a message that has not left back into a draft, so that it can be edited. */
  'take-back-message': account.extend({ localId: localIdSchema }),
  /** Takes a message back into a draft right after sending; one that the server has is deleted there. */
  'undo-send': account.extend({ localId: localIdSchema }),
  /** Stops waiting for the next attempt, for this account. */
  'try-now': account,
  /** How long the server takes to answer, milliseconds; needs the network. */
  ping: account,
  /** The person has read what became of the account's file. */
  'dismiss-file-notice': account,

  /** Makes room for a file that goes along with a message; its bytes follow in order. */
  'begin-file': account.extend({
    name: z.string().min(1).max(300),
    mediaType: z.string().max(200),
    size: z
      .int()
      .min(0)
      .max(2 * 1024 ** 3),
  }),
  /** Some of its bytes, as base64; with the last ones it begins to upload. */
  'put-file-part': account.extend({ fileId, bytes: z.base64().max(700_000) }),
  'cancel-file': account.extend({ fileId }),

  /**
   * Writes what a person typed; returns once it is on disk, with the text that the draft has then. A null id makes a
   * new draft. `basis` is the text that the typed one grew from: what came from another device meanwhile is joined.
   * `addressed` is whom it went to then: a recipient that the person left alone stays what the draft has by now.
   */
  'save-draft': account.extend({
    draftId: draftIdSchema.nullable(),
    draft: draftContentSchema,
    basis: writtenText.nullable().default(null),
    addressed: conversationSchema.nullable().optional(),
  }),
  /** The person stopped writing in it: send it to the other devices now. */
  'leave-draft': account.extend({ draftId: draftIdSchema }),
  'delete-draft': account.extend({ draftId: draftIdSchema }),
  'restore-draft-version': account.extend({ draftId: draftIdSchema, number: z.int() }),
  'resolve-draft-conflict': account.extend({
    draftId: draftIdSchema,
    resolution: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('use'), draft: draftContentSchema }),
      /** This one keeps the local text, a new draft takes the other device's. */
      z.object({ kind: z.literal('keep-both') }),
    ]),
  }),

  /** Fetches history next to what this device has; needs the network. */
  'load-older': account.extend({ narrow: narrowSchema, before: messageIdSchema.nullable() }),
  'load-newer': account.extend({ narrow: narrowSchema, after: messageIdSchema }),
  /** Asks the server for the names of all topics of a channel; needs the network. */
  'load-topics': account.extend({ channelId: channelIdSchema }),
  /** Asks the server for everybody who is in a channel; needs the network. */
  'load-subscribers': account.extend({ channelId: channelIdSchema }),
  /** What a message will look like, as far as this device can tell; at once. Nobody hears of it. */
  'preview-message': account.extend({ content: writtenText }),
  /** The same as the server renders it; needs the network. Hostile until sanitized. */
  'preview-on-server': account.extend({ content: writtenText }),
  /** Asks the server for what this device does not have of a search, newest first; needs the network. */
  'search-server': account.extend({ text: searchTextSchema, before: messageIdSchema.nullable() }),
  /** The earlier versions of a message, the newest first; needs the network. */
  'message-history': account.extend({ messageId: messageIdSchema }),
  /** Who has read a message; needs the network. */
  'read-receipts': account.extend({ messageId: messageIdSchema }),
  /** The raw Markdown of a message, for editing and quoting; from this device if it is there. */
  'message-source': account.extend({ messageId: messageIdSchema }),
  /** The account and narrow in front of the person; null when the window is hidden or without focus. */
  'report-focus': z.object({
    focus: account.extend({ narrow: narrowSchema.nullable() }).nullable(),
    isActive: z.boolean(),
  }),
  /** Whether what the network carries costs, as the window's system says it. */
  'report-network': z.object({ isMetered: z.boolean() }),
  /** The window's system has a network again: nothing waits for its next attempt. */
  'network-is-back': z.object({}),
  /** Where the reader of a feed is, so that it opens there again; null: at its end. */
  'keep-place': account.extend({
    narrow: narrowSchema,
    place: z
      .object({
        messageId: messageIdSchema,
        /** Pixels below the upper edge of the feed. */
        top: z.int().min(-1_000_000).max(1_000_000),
      })
      .nullable(),
  }),
  /** The person writes there, or has stopped; may be said as often as they press a key. */
  'report-typing': account.extend({ place: writingPlaceSchema, on: z.boolean() }),
  /** What this app is and where it keeps things. */
  about: z.object({}),
  'open-notice': z.object({ id: z.string().max(200) }),
  'open-link': z.object({ url: z.string().max(10_000) }),
  'set-device-setting': z.object({ settings: z.object(deviceSettingForms).partial() }),
} as const satisfies Record<string, z.ZodObject>

export type CallName = keyof typeof calls
type CallInputs = { [N in CallName]: z.input<(typeof calls)[N]> }
/** What a call takes from a window. */
export type CallInputOf<N extends CallName> = N extends 'act'
  ? { accountId: string; action: ActionInput }
  : CallInputs[N]
/** What a call's implementation gets, checked. */
export type CheckedCallOf<N extends CallName> = z.output<(typeof calls)[N]>
export type CallResultOf<N extends CallName> = CallResults[N]

/** A page of what the server found beyond this device. */
export interface ServerSearchResults {
  readonly results: readonly SearchResult[]
  /** Where the next page begins; null when the server has no more. */
  readonly next: MessageId | null
}

export interface AboutApp {
  readonly version: string
  /** The host's runtime and the system, in words. */
  readonly runtime: string
  readonly dataDirectory: string
}

/** What each call answers; failures travel beside these, as data. */
export interface CallResults {
  'find-organization': Organization
  'sign-in': { readonly accountId: AccountId }
  'read-network': {
    readonly network: AccountNetwork
    /** By name. */
    readonly authorities: readonly string[]
    /** Address of the proxy that is used at this moment; null for none. */
    readonly presentProxy: string | null
  }
  'set-network': null
  'sign-in-again': null
  'sign-out': null
  'start-demo': { readonly accountId: AccountId }
  act: { readonly localId: LocalId }
  'retry-outbox-item': null
  'discard-outbox-item': null
  /** Whether it was still here to be changed. */
  'change-later': { readonly isChanged: boolean }
  'take-back-message': { readonly draftId: DraftId }
  'undo-send': { readonly draftId: DraftId }
  'try-now': null
  ping: { readonly ms: number }
  'dismiss-file-notice': null
  'begin-file': { readonly fileId: string }
  'put-file-part': null
  'cancel-file': null
  'save-draft': DraftContent & { readonly draftId: DraftId }
  'leave-draft': null
  'delete-draft': null
  'restore-draft-version': DraftContent
  'resolve-draft-conflict': { readonly draft: Draft | null }
  'load-older': { readonly loaded: number }
  'load-newer': { readonly loaded: number }
  'load-topics': { readonly known: number }
  'load-subscribers': { readonly known: number }
  'preview-message': { readonly html: string; readonly isMeMessage: boolean }
  'preview-on-server': { readonly html: string }
  'search-server': ServerSearchResults
  'message-history': { readonly versions: readonly MessageVersion[] }
  'read-receipts': { readonly people: readonly Person[] }
  'message-source': { readonly content: string }
  'report-focus': null
  'report-network': null
  'network-is-back': null
  'keep-place': null
  'report-typing': null
  about: AboutApp
  'open-notice': null
  'open-link': null
  'set-device-setting': null
}
