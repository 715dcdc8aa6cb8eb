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
import type { Widget } from '../model/widget.ts'
import { actionSchema, waitingChangeSchema, type ActionInput } from './actions.ts'
import type { ServerSearchResult } from '../model/search-results.ts'
import {
  accountNetworkSchema,
  conversationSchema,
  draftContentSchema,
  editedSchema,
  editTextSchema,
  narrowSchema,
  searchTextSchema,
  writingPlaceSchema,
  writtenText,
} from './schemas.ts'
import { deviceSettingForms } from './settings.ts'

const account = z.object({ accountId: accountIdSchema })
const address = z.string().min(1).max(2_000)
const fileId = z.string().regex(/^[a-z0-9]{1,40}$/)
/** In characters of base64. */
const longestPicture = 700_000
const secret = z.string().min(1).max(1_000)
const credentials = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('password'), email: z.string().min(1).max(500), password: secret }),
  z.object({ kind: z.literal('api-key'), email: z.string().min(1).max(500), apiKey: secret }),
])

const network = accountNetworkSchema.default(usualNetwork)

/** The direct calls: those that return something, or that concern only this device. */
export const calls = {
  /** Asks an address which organization it belongs to; needs the network. */
  'find-organization': z.object({ address, network }),
  'sign-in': z.object({ baseUrl: address, credentials, network }),
  /** The network settings of the account: its proxy, and the authorities that it trusts besides the usual ones. */
  'read-network': account,
  /** Changes the network settings; they hold for all requests from now on. */
  'set-network': account.extend({ network: accountNetworkSchema }),
  /** New credentials for an account whose key was refused. */
  'sign-in-again': account.extend({ credentials }),
  /**
   * Removes the account and its file from this device; refused while anything waits to be sent, unless `discard` is
   * set.
   */
  'sign-out': account.extend({ discard: z.boolean() }),
  /** Starts the embedded service with the demo workspace and signs in to it. */
  'start-demo': z.object({}),

  /** Puts an action into the outbox; returns once it is on disk. */
  act: account.extend({ action: actionSchema }),
  'retry-outbox-item': account.extend({ localId: localIdSchema }),
  'discard-outbox-item': account.extend({ localId: localIdSchema }),
  /** Changes a scheduled message, snippet or reminder that the server does not have yet, where it waits. */
  'change-waiting': account.extend({ localId: localIdSchema, change: waitingChangeSchema }),
  /** Turns a message that was never sent back into a draft, so that it can be edited. */
  'take-back-message': account.extend({ localId: localIdSchema }),
  /**
   * Turns a message back into a draft right after it was sent or scheduled; if the server already has it, it is deleted
   * there.
   */
  'undo-send': account.extend({ localId: localIdSchema }),
  /** Retries everything that waits for its next attempt now, for this account. */
  'try-now': account,
  /** Measures how long the server takes to answer, in milliseconds; needs the network. */
  ping: account,
  /** The person has read the notice about the account's file. */
  'dismiss-file-notice': account,

  /** Prepares a file that is attached to a message; its bytes follow in order. */
  'begin-file': account.extend({
    name: z.string().min(1).max(300),
    mediaType: z.string().max(200),
    size: z
      .int()
      .min(0)
      .max(2 * 1024 ** 3),
  }),
  /** The next bytes of the file, as base64; the upload begins after the last ones. */
  'put-file-part': account.extend({ fileId, bytes: z.base64().max(700_000) }),
  'cancel-file': account.extend({ fileId }),

  /** Makes a picture one's own; needs the network. */
  'set-own-picture': account.extend({
    name: z.string().min(1).max(300),
    mediaType: z.string().max(200),
    bytes: z.base64().max(longestPicture),
  }),
  /** Goes back to the picture that the server makes up; needs the network. */
  'remove-own-picture': account,
  /** Has the server mail a link to a new address, which becomes one's own once it is followed; needs the network. */
  'change-own-email': account.extend({ email: z.string().trim().min(1).max(500) }),
  /** The account's key stays; needs the network. */
  'change-own-password': account.extend({ oldPassword: secret, newPassword: secret }),

  /**
   * Writes what a person typed. When it returns, the draft is on disk; it returns the text that the draft then has. A
   * null id makes a new draft.
   * `basis` is the text that the typed text is based on: changes from another device since then are merged.
   * `addressed` is the recipient at that time: if the person left the recipient alone, the draft keeps its present
   * one.
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
      /** `shown` is the other device's version that the person saw, and `own` their own text beside it. */
      z.object({
        kind: z.literal('use'),
        draft: draftContentSchema,
        shown: draftContentSchema,
        own: writtenText,
      }),
      /** This draft keeps the local text, and a new draft takes the other device's. */
      z.object({ kind: z.literal('keep-both') }),
    ]),
  }),

  /**
   * Writes an unsaved edit of a text that exists already, or of the fields of a form; null removes it, because it was
   * saved or given up. When it returns, that is on disk.
   */
  'keep-edit': account.extend({ edited: editedSchema, edit: editTextSchema.nullable() }),

  /** Fetches the history adjacent to what this device has; needs the network. */
  'load-older': account.extend({ narrow: narrowSchema, before: messageIdSchema.nullable() }),
  'load-newer': account.extend({ narrow: narrowSchema, after: messageIdSchema }),
  /** Asks the server for the names of all topics of a channel; needs the network. */
  'load-topics': account.extend({ channelId: channelIdSchema }),
  /** Asks the server for all subscribers of a channel; needs the network. */
  'load-subscribers': account.extend({ channelId: channelIdSchema }),
  /** Renders a message on this device, at once. Nobody else hears of it. */
  'preview-message': account.extend({ content: writtenText }),
  /** The same, rendered by the server; needs the network. Untrusted until sanitized. */
  'preview-on-server': account.extend({ content: writtenText }),
  /** Asks the server for search results that this device does not have, newest first; needs the network. */
  'search-server': account.extend({ text: searchTextSchema, before: messageIdSchema.nullable() }),
  /** The earlier versions of a message, newest first; needs the network. */
  'message-history': account.extend({ messageId: messageIdSchema }),
  /** Who has read a message; needs the network. */
  'read-receipts': account.extend({ messageId: messageIdSchema }),
  /** The Markdown source of a message, for editing and quoting; taken from this device if it is there. */
  'message-source': account.extend({ messageId: messageIdSchema }),
  /** The account and narrow that the person is looking at; null while the window is hidden or unfocused. */
  'report-focus': z.object({
    focus: account.extend({ narrow: narrowSchema.nullable() }).nullable(),
    isActive: z.boolean(),
  }),
  /** Whether the network is metered, according to the window's system. */
  'report-network': z.object({ isMetered: z.boolean() }),
  /** The window's system has a network again: waiting retries happen now. */
  'network-is-back': z.object({}),
  /** Stores where the reader of a feed is, so that the feed opens there again; null: at its end. */
  'keep-place': account.extend({
    narrow: narrowSchema,
    place: z
      .object({
        messageId: messageIdSchema,
        /** Pixels below the top edge of the feed. */
        top: z.int().min(-1_000_000).max(1_000_000),
      })
      .nullable(),
  }),
  /** The person is typing there, or has stopped; may be called at every keystroke. */
  'report-typing': account.extend({ place: writingPlaceSchema, on: z.boolean() }),
  /** Facts about the app, such as its version and its data directory. */
  about: z.object({}),
  'open-notice': z.object({ id: z.string().max(200) }),
  'open-link': z.object({ url: z.string().max(10_000) }),
  'set-device-setting': z.object({ settings: z.object(deviceSettingForms).partial() }),
} as const satisfies Record<string, z.ZodObject>

export type CallName = keyof typeof calls
type CallInputs = { [N in CallName]: z.input<(typeof calls)[N]> }
/** The input of a call as a window sends it. */
export type CallInputOf<N extends CallName> = N extends 'act'
  ? { accountId: string; action: ActionInput }
  : CallInputs[N]
/** The input of a call after validation. */
export type CheckedCallOf<N extends CallName> = z.output<(typeof calls)[N]>
/** What a call returns. */
export type CallResultOf<N extends CallName> = CallResults[N]

/** A page of the search results that the search on this device does not find. */
export interface ServerSearchResults {
  readonly results: readonly ServerSearchResult[]
  /** Where the next page begins; null if the server has no more. */
  readonly next: MessageId | null
}

/** What the app tells of itself. */
export interface AboutApp {
  readonly version: string
  /** The host's runtime and operating system, as text. */
  readonly runtime: string
  readonly dataDirectory: string
}

/** What each call returns; failures travel separately, as data. */
export interface CallResults {
  'find-organization': Organization
  'sign-in': { readonly accountId: AccountId }
  'read-network': {
    readonly network: AccountNetwork
    /** Sorted by name. */
    readonly authorities: readonly string[]
    /** The address of the proxy in use right now; null if there is none. */
    readonly presentProxy: string | null
  }
  'set-network': null
  'sign-in-again': null
  'sign-out': null
  'start-demo': { readonly accountId: AccountId }
  act: { readonly localId: LocalId }
  'retry-outbox-item': null
  /** The ended draft that has its text now; null if it has none. */
  'discard-outbox-item': { readonly draftId: DraftId | null }
  /**
   * False if it does not wait any more. `serverId` is then its id on the server, where it must be changed; null while it
   * is on its way there.
   */
  'change-waiting': { readonly isChanged: boolean; readonly serverId: number | null }
  'take-back-message': { readonly draftId: DraftId }
  'undo-send': { readonly draftId: DraftId }
  'try-now': null
  ping: { readonly ms: number }
  'dismiss-file-notice': null
  'begin-file': { readonly fileId: string }
  'put-file-part': null
  'cancel-file': null
  'set-own-picture': null
  'remove-own-picture': null
  'change-own-email': null
  'change-own-password': null
  /** `beginsConflict`: another device changed the same words. Its version is kept beside the text. */
  'save-draft': DraftContent & { readonly draftId: DraftId; readonly beginsConflict: boolean }
  'leave-draft': null
  'delete-draft': null
  'restore-draft-version': DraftContent & { readonly draftId: DraftId }
  'resolve-draft-conflict': { readonly draft: Draft | null }
  'keep-edit': null
  'load-older': { readonly loaded: number }
  'load-newer': { readonly loaded: number }
  'load-topics': { readonly known: number }
  'load-subscribers': { readonly known: number }
  'preview-message': {
    readonly html: string
    readonly isMeMessage: boolean
    /** The poll or to-do list that a new message with this text becomes; null for none. */
    readonly widget: Widget | null
  }
  'preview-on-server': { readonly html: string }
  'search-server': ServerSearchResults
  'message-history': {
    readonly versions: readonly MessageVersion[]
    /** Whether the server gave them: otherwise they are what this device knows. */
    readonly isFromServer: boolean
  }
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
