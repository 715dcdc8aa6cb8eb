import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { DraftId } from '../../../src-shared/ids.ts'
import type { MessagePermissions } from '../../../src-shared/model/permissions.ts'
import type { ComposeText } from '../../state/writing/compose.svelte.ts'
import { failureText } from '../../state/failure-text.ts'
import { lastSent } from '../../state/writing/last-sent.svelte.ts'
import { Watched } from '../../state/data/watched.svelte.ts'
import type { Scheduled } from './scheduled-note.ts'

interface SendingParts {
  readonly bridge: Bridge
  readonly accountId: string
  readonly compose: () => ComposeText
  /** Whether there is something to send and no obstacle. */
  readonly canSend: () => boolean
  /** Called once the message is in the outbox; with the message if it is to be sent later. */
  readonly sent: (scheduled: Scheduled | null) => void
  /** Called once the message was taken back and is this draft again. */
  readonly undone: (draftId: DraftId) => void
}

/** Whether a message that the server has just got can be taken back: only by somebody who may delete it. */
// A limit that ends within the ten seconds of an undo is left to the engine.
export const mayTakeBack = (may: MessagePermissions): boolean => may.deleteAny || may.deleteOwn.isAllowed

/** Sends the content of a box, now or later, and takes it back. */
export class Sending {
  readonly #parts: SendingParts
  /** A problem to show to the person; null if there is none. */
  problem = $state<string | null>(null)
  /** The last message, for some seconds and as long as nothing new is written; see `canUndo`. */
  readonly undoable = $derived.by(() => {
    const { accountId, compose } = this.#parts
    const { text, conversation } = compose()
    return text.trim() === '' ? lastSent.in(accountId, conversation) : null
  })
  readonly #outbox = $derived.by(() => {
    const { bridge, accountId } = this.#parts
    return this.undoable === null ? null : new Watched(bridge, 'outbox', { accountId })
  })
  /** Whether the server has not accepted that message yet, as far as this device knows. */
  readonly isUnderWay = $derived.by(() => {
    const waiting = this.#outbox?.current
    return waiting === undefined || waiting.some(({ localId }) => localId === this.undoable)
  })
  readonly #permissions = $derived.by(() => {
    const { bridge, accountId, compose } = this.#parts
    return this.undoable === null
      ? null
      : new Watched(bridge, 'permissions', { accountId, narrow: compose().conversation })
  })
  /** Whether it can still be taken back: what the server has, only by somebody who may delete it. */
  readonly canUndo = $derived.by(() => {
    if (this.undoable === null || this.isUnderWay) return this.undoable !== null
    const may = this.#permissions?.current?.messages
    return may !== undefined && mayTakeBack(may)
  })

  constructor(parts: SendingParts) {
    this.#parts = parts
  }

  async send(): Promise<void> {
    const { accountId, compose, canSend, sent } = this.#parts
    const { conversation } = compose()
    if (!canSend() || conversation === null) return
    const localId = await compose().send()
    if (localId === null) return
    this.problem = null
    lastSent.note(accountId, conversation, localId)
    sent(null)
  }

  /** Schedules the message for a moment, epoch milliseconds. */
  async schedule(at: number): Promise<void> {
    const { compose, canSend, sent } = this.#parts
    const { conversation } = compose()
    if (!canSend() || conversation === null) return
    const localId = await compose().send(at)
    if (localId === null) return
    this.problem = null
    sent({ localId, conversation, sendAt: at })
  }

  async undo(): Promise<void> {
    const { bridge, accountId, undone } = this.#parts
    const localId = this.undoable
    if (localId === null) return
    try {
      const { draftId } = await bridge.call('undo-send', { accountId, localId })
      lastSent.forget(localId)
      undone(draftId)
    } catch (error) {
      this.problem = failureText(error)
    }
  }
}
