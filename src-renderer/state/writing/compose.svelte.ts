import { failureOf } from '../../../src-shared/failure.ts'
import { draftId as asDraftId, type DraftId, type LocalId } from '../../../src-shared/ids.ts'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { conversationKey, type Conversation } from '../../../src-shared/model/conversation.ts'
import type { Draft } from '../../../src-shared/model/draft.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { withWords } from './added-words.ts'
import { failureText } from '../failure-text.ts'
import { TypingPulse } from './typing-pulse.ts'

/** Debounce: how long typing may pause before it is saved, in milliseconds. */
const saveMs = 150
/** How long until words that the device did not accept are offered to it again, in milliseconds. */
const retryMs = 3_000

/** Texts that the device has not accepted yet, so that a later field for the same recipient continues them. */
const unsaved = new Set<ComposeText>()

/** The text whose topic was followed to another place, until the field there continues it. */
const passedOn = new Set<ComposeText>()

/** What one field hands to another. */
export interface HandedText {
  readonly text: string
  readonly draftId: DraftId | null
  /** Whether the draft has this text; true by default. */
  readonly isSaved?: boolean
}

/**
 * The text being written for one conversation, or for one that is still to be chosen.
 *
 * 1. What is typed is on disk within a quarter of a second, and at once on blur, close and leaving.
 * 2. A change from another device is shown as long as nothing unsaved was typed here. A change that arrives while
 *    somebody
 *    types is merged with the typed text when that is saved.
 */
export class ComposeText {
  text = $state('')
  problem = $state<string | null>(null)
  readonly #bridge: Bridge
  readonly #accountId: string
  #conversation = $state.raw<Conversation | null>(null)
  #id = $state.raw<DraftId | null>(null)
  #isDirty = false
  /** Whether an input method composes a word, which must not be replaced. */
  #isComposing = false
  #timer: ReturnType<typeof setTimeout> | null = null
  #saving: Promise<void> = Promise.resolve()
  readonly #pulse: TypingPulse
  #sending: Promise<unknown> = Promise.resolve()
  /** Whether a text is being put into the outbox, which ends its draft. */
  #isSending = false
  /** How often the engine answered a save with words that were not typed here, as part of the text or beside it. */
  #merges = 0
  readonly #retryMs: number
  /** The text and the recipient that the typed text is based on: the engine's last answer. */
  #basis: Pick<Draft, 'recipient' | 'content'> | null = null
  /** Called when the topic, and the draft with it, moved while the person was writing. */
  #onMoved: (to: Conversation) => void = () => {}

  constructor(bridge: Bridge, accountId: string, conversation: Conversation | null, retryAfterMs = retryMs) {
    this.#retryMs = retryAfterMs
    this.#bridge = bridge
    this.#accountId = accountId
    this.#conversation = conversation
    this.#pulse = new TypingPulse(bridge, accountId)
  }

  /**
   * The text for a conversation: a new one, the one that followed its topic there, or the one of an earlier field that
   * this device could not save yet.
   */
  static open(bridge: Bridge, accountId: string, conversation: Conversation | null): ComposeText {
    const before = [...passedOn, ...unsaved].find(
      (one) => one.#accountId === accountId && keyOf(one.#conversation) === keyOf(conversation),
    )
    passedOn.clear()
    return before ?? new ComposeText(bridge, accountId, conversation)
  }

  get draftId(): DraftId | null {
    return this.#id
  }

  /** The recipient; null while none is chosen. */
  get conversation(): Conversation | null {
    return this.#conversation
  }

  isFor(accountId: string, conversation: Conversation): boolean {
    return this.#accountId === accountId && keyOf(this.#conversation) === keyOf(conversation)
  }

  /**
   * Registers a listener for the case that the draft being written has moved: its topic has another name or channel.
   * Unless the listener addresses this text to the new place, the field lets go of the draft, which is complete there.
   */
  whenMoved(listener: (to: Conversation) => void): void {
    this.#onMoved = listener
  }

  /** Changes the recipient; the typed text stays. */
  address(conversation: Conversation | null): void {
    if (keyOf(conversation) === keyOf(this.#conversation)) return
    this.#conversation = conversation
    if (this.text.trim() !== '') this.typed()
  }

  /** Its topic moved, and its draft with it: the field of the new place continues this text, typed words and all. */
  passOn(conversation: Conversation): void {
    this.#conversation = conversation
    if (this.#isDirty) this.typed()
    passedOn.clear()
    passedOn.add(this)
  }

  /** Takes over a text and its draft from another field. */
  takeOver({ text, draftId, isSaved = true }: HandedText): void {
    this.text = text
    this.#id = draftId
    this.#basis = draftId !== null && isSaved ? { recipient: this.#conversation, content: text } : null
    if (this.#basis === null && text.trim() !== '') this.typed()
  }

  /** Hands its text and draft to another field; afterwards this one is empty and has no draft. */
  async handOver(): Promise<HandedText> {
    await this.save()
    const handed = { text: this.text, draftId: this.#id, isSaved: !this.#isDirty }
    this.#accepted()
    this.#id = null
    this.#basis = null
    this.#isDirty = false
    this.text = ''
    return handed
  }

  /**
   * Leaves its draft as it is and becomes empty. With `begins`, words that are typed after it meanwhile begin the next
   * draft. Resolves to false, with the text, if it could not be saved.
   */
  async putAside({ begins }: { readonly begins: boolean }): Promise<boolean> {
    this.#isComposing = false
    await this.save()
    const goesOn = () => begins && this.text.startsWith(this.#basis?.content ?? '')
    // Other changes are still its own.
    if (this.#isDirty && !goesOn()) await this.save()
    if (unsaved.has(this) || (this.#isDirty && !goesOn())) return false
    const next = this.#isDirty ? this.text.slice(this.#basis?.content.length) : ''
    void this.#leaveDraft()
    this.problem = null
    this.#id = null
    this.#basis = null
    this.#isDirty = false
    this.text = next.trim() === '' ? '' : next
    if (this.text !== '') this.typed()
    return true
  }

  /** Appends words to what the person is writing, or to the beginning of that: what they typed since stands after it. */
  append(words: string, beginning = this.text): void {
    const [text, since] = this.text.startsWith(beginning)
      ? [beginning, this.text.slice(beginning.length)]
      : [this.text, '']
    this.text = withWords(text, words) + since
    this.typed()
  }

  /** The draft as the engine has it now: the newest one of the conversation. */
  follow(draft: Draft | null): void {
    // The draft being sent ends, and the conversation's next one must not take its place. A text that was passed on waits
    // for the field of its new place; the old one finds no draft any more.
    if (this.#isSending || passedOn.has(this)) return
    if (draft === null) {
      // The draft ended elsewhere or was sent; unsaved text typed here stays.
      if (!this.#isDirty && this.#id !== null) {
        this.#id = null
        this.text = ''
        this.#basis = null
      }
      return
    }
    if (this.#isDirty) {
      // Words typed before the draft was known are another draft, unless they continue this one.
      if (this.#id === null && this.text.startsWith(draft.content)) {
        this.#id = draft.id
        this.#basis = draft
      }
      return
    }
    this.#id = draft.id
    this.#basis = draft
    if (this.text !== draft.content) this.text = draft.content
  }

  /** The person changed the text. */
  typed({ isComposing = false } = {}): void {
    this.#isDirty = true
    this.#isComposing = isComposing
    this.#timer ??= setTimeout(() => void this.save(), saveMs)
    if (this.#conversation !== null && this.text.trim() !== '') this.#pulse.typed(this.#conversation)
  }

  /** Saves what was typed; resolves once it is on disk. */
  save(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    // One save after another, so that an older text never overwrites a newer one.
    this.#saving = this.#saving.then(async () => {
      if (!this.#isDirty) return
      const content = this.text
      const recipient = this.#conversation
      try {
        const saved = await this.#bridge.call('save-draft', {
          accountId: this.#accountId,
          draftId: this.#id,
          draft: { recipient, content },
          basis: this.#basis?.content ?? null,
          ...(this.#basis === null ? {} : { addressed: this.#basis.recipient }),
        })
        this.#id = content.trim() === '' ? null : asDraftId(saved.draftId)
        this.#accepted()
        if (saved.content !== content || saved.beginsConflict) this.#merges++
        // Text typed during the save is based on the text that was sent, not on the merged one, and so is what is being
        // composed. A recipient that turns out to have changed was not chosen by the person here.
        const isShown =
          this.text === content && !this.#isComposing && keyOf(this.#conversation) === keyOf(recipient)
        this.#basis = { recipient, content: isShown ? saved.content : content }
        if (isShown) {
          this.#isDirty = false
          this.text = saved.content
          const { recipient: now } = saved
          if (content.trim() !== '' && now !== null && keyOf(now) !== keyOf(recipient)) this.#moved(now)
        }
      } catch (error) {
        // What is wrong with the disk stands above the view.
        const { kind, message } = failureOf(error)
        this.problem = kind === 'device' ? t.failures.notSavedYet : `${t.failures.notSavedYet} ${message}`
        unsaved.add(this)
        // Also when the field is gone from the screen: this holds the words until they are on disk.
        this.#timer ??= setTimeout(() => void this.save(), this.#retryMs)
      }
    })
    return this.#saving
  }

  #accepted(): void {
    this.problem = null
    unsaved.delete(this)
  }

  #moved(to: Conversation): void {
    const before = this.#conversation
    this.#onMoved(to)
    if (keyOf(this.#conversation) !== keyOf(before)) {
      this.#basis = { recipient: this.#conversation, content: this.text }
      return
    }
    this.#id = null
    this.#basis = null
    this.text = ''
  }

  /** The person turned away: saves the text, and the other devices hear of it. */
  async leave(): Promise<void> {
    this.#isComposing = false
    await this.save()
    await this.#leaveDraft()
  }

  async #leaveDraft(): Promise<void> {
    this.#pulse.end()
    if (this.#id !== null)
      await this.#bridge
        .call('leave-draft', { accountId: this.#accountId, draftId: this.#id })
        .catch(() => {})
  }

  /**
   * Puts the text into the outbox; the field is empty once the text is on disk there. Returns its id in the outbox, or
   * null if nothing was sent. With a moment (epoch milliseconds), the server sends it then. If one is sent while
   * another is still being put into the outbox, it follows that one.
   */
  send(sendAt: number | null = null): Promise<LocalId | null> {
    const sent = this.#sending.then(() => this.#send(sendAt))
    this.#sending = sent
    return sent
  }

  async #send(sendAt: number | null): Promise<LocalId | null> {
    const content = this.text
    if (content.trim() === '' || this.#conversation === null) return null
    const merges = this.#merges
    await this.save()
    const conversation = this.#conversation
    // The topic moved at this very moment, and the draft with it, or another device added words: the person sees the
    // new place and the words before anything is sent.
    if (this.text === '' || conversation === null || this.#merges !== merges) return null
    this.#isSending = true
    try {
      const { localId } = await this.#bridge.call('act', {
        accountId: this.#accountId,
        action:
          sendAt === null
            ? { name: 'send-message', conversation, content, draftId: this.#id }
            : { name: 'schedule-message', conversation, content, draftId: this.#id, sendAt },
      })
      // Text typed while this one went into the outbox begins the next message.
      if (this.text.startsWith(content)) this.text = this.text.slice(content.length)
      else if (!this.#isDirty) this.text = ''
      this.#id = null
      this.#isDirty = false
      this.#basis = null
      if (this.text !== '') this.typed()
      this.#accepted()
      this.#pulse.end()
      return localId
    } catch (error) {
      this.problem = t.failures.notQueued(failureText(error))
      return null
    } finally {
      this.#isSending = false
    }
  }
}

const keyOf = (one: Conversation | null): string => (one === null ? '' : conversationKey(one))
