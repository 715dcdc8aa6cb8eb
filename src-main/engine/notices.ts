import { background } from '../../src-shared/background.ts'
import { failureOf } from '../../src-shared/failure.ts'
import type { AccountId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { Notice } from '../../src-shared/model/notice.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { messageInPlace } from '../store/messages.ts'
import { LiveValue } from './live-value.ts'
import type { OpenAccounts } from './open-accounts.ts'
import type { Platform } from './platform.ts'

/** How many notices stay at once; older ones are withdrawn. */
const mostNotices = 50
/** How long until a reply that the disk refused is written again, in milliseconds. */
const replyRetryMs = 5_000

/** What the notices need of the engine. */
export interface NoticesParts {
  readonly platform: Platform
  readonly openAccounts: OpenAccounts
  /** Aborted when the engine ends. */
  readonly signal: AbortSignal
  /** Whether the account is on this device. */
  readonly hasAccount: (id: AccountId) => boolean
}

/** The notices of all accounts that the system shows now. */
export class Notices {
  readonly #parts: NoticesParts
  readonly #shown = new LiveValue<readonly Notice[]>([])

  constructor(parts: NoticesParts) {
    this.#parts = parts
  }

  /** Oldest first. */
  get all(): readonly Notice[] {
    return this.#shown.current
  }

  of(account: AccountId): readonly Notice[] {
    return this.all.filter(({ accountId }) => accountId === account)
  }

  /** Calls `update` now and after every change; returns a function that ends it. */
  watch(update: (json: string) => void): () => void {
    return this.#shown.watch(update)
  }

  /** Shows a notice, unless it is shown already. */
  notify(notice: Notice): void {
    if (this.all.some(({ id }) => id === notice.id)) return
    this.#shown.set([...this.all, notice])
    this.#parts.platform.notify(notice)
    this.withdraw(this.all.slice(0, -mostNotices))
  }

  withdraw(notices: readonly Notice[]): void {
    if (notices.length === 0) return
    const gone = new Set(notices.map(({ id }) => id))
    this.#shown.set(this.all.filter(({ id }) => !gone.has(id)))
    this.#parts.platform.withdraw([...gone])
  }

  /** The conversation of a notice, where its messages are now: they may have been moved since. */
  placeOf({ accountId, conversation, messageIds: [first] }: Notice): Conversation | null {
    const db = this.#parts.openAccounts.find(accountId)?.store.db
    if (conversation === null || first === undefined || db === undefined) return conversation
    try {
      return messageInPlace(db, first)?.conversation ?? conversation
    } catch (error) {
      this.#log(failureOf(error).message)
      return conversation
    }
  }

  /** Sends a reply to the conversation of a notice, in the background; an empty one is ignored. */
  reply(notice: Notice, text: string): void {
    if (text.trim() !== '' && notice.conversation !== null)
      background(this.#keepReply(notice, notice.conversation, text), (line) => this.#log(line))
  }

  /** The text was typed into a system notification, so no field holds it: it is written until the disk accepts it. */
  async #keepReply(notice: Notice, noticed: Conversation, content: string): Promise<void> {
    const { platform, openAccounts, signal, hasAccount } = this.#parts
    const { accountId } = notice
    const notKept: Notice = {
      ...notice,
      id: `${notice.id}-reply`,
      messageIds: [],
      title: t.native.replyNotKept,
      body: content,
    }
    for (let attempt = 0; hasAccount(accountId); attempt++) {
      try {
        const conversation = this.placeOf(notice) ?? noticed
        openAccounts
          .account(accountId)
          .outbox.enqueue({ name: 'send-message', conversation, content, draftId: null })
        if (attempt > 0) this.withdraw([notKept])
        return
      } catch (error) {
        this.#log(`a reply is not kept yet: ${failureOf(error).message}`)
        if (attempt === 0) this.notify(notKept)
      }
      await platform.wait(replyRetryMs, signal)
      if (signal.aborted) return
    }
  }

  #log(line: string): void {
    this.#parts.platform.log(`notices: ${line}`)
  }
}
