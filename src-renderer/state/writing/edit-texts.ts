import { createSubscriber } from 'svelte/reactivity'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { Edited, EditText, UnsavedEdit } from '../../../src-shared/model/unsaved-edit.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { onClosing } from '../../port.ts'
import { toasts } from '../toast.svelte.ts'
import { dropEditHere, editsHere } from './edits-here.ts'

/** How long what is typed after a first key waits for more, in milliseconds. */
const keepMs = 150
/** How long until words that the device did not accept are offered to it again, in milliseconds. */
const retryMs = 3_000

/** What the engine has not confirmed yet. */
interface Change {
  readonly edit: EditText | null
  /** Settles with the engine's answer; null while it is not on its way. */
  sent: Promise<void> | null
}

/** Something that may have an unsaved edit: its id as part of `Edited`, its text now, and what else it is known by. */
export interface Editable {
  readonly id: string
  readonly text: string
  readonly mark: string
}

const ofBridge = new WeakMap<Bridge, Map<string, UnsavedEdits>>()

/** The unsaved edits of an account: the same for every component of the window. */
export function unsavedEdits(bridge: Bridge, accountId: string): UnsavedEdits {
  const ofAccount = ofBridge.get(bridge) ?? new Map<string, UnsavedEdits>()
  ofBridge.set(bridge, ofAccount)
  const edits = ofAccount.get(accountId) ?? new UnsavedEdits(bridge, accountId)
  ofAccount.set(accountId, edits)
  return edits
}

/**
 * A person's edits of texts that exist already, and what is in the fields of forms, until they are saved or given up.
 * They survive the end of the window and of the app.
 *
 * 1. What is typed is on disk within a quarter of a second, and at once when the field loses the focus or the window is
 *    left. What the device does not take is offered again and, until then, known in this window.
 * 2. They are read from the engine while a component reads them: a field whose text may be an unsaved edit opens once
 *    `isLoaded`.
 */
export class UnsavedEdits {
  readonly #bridge: Bridge
  readonly #accountId: string
  readonly #subscribe: () => void
  #changed: () => void = () => {}
  /** As the engine has them. */
  #kept: ReadonlyMap<Edited, EditText> = new Map()
  #isLoaded = false
  readonly #changes = new Map<Edited, Change>()
  #problem: string | null = null
  #timer: ReturnType<typeof setTimeout> | null = null
  readonly #retryMs: number

  constructor(bridge: Bridge, accountId: string, retryAfterMs = retryMs) {
    this.#retryMs = retryAfterMs
    this.#bridge = bridge
    this.#accountId = accountId
    this.#subscribe = createSubscriber((changed) => {
      this.#changed = changed
      const save = () => this.save()
      const saveNow = () => void save()
      const onFailure = () => this.#read([...this.#kept].map(([edited, edit]) => ({ edited, ...edit })))
      const stopWatch = bridge.watch('unsaved-edits', { accountId }, (all) => this.#read(all), { onFailure })
      const stopClosing = onClosing(save)
      addEventListener('focusout', saveNow)
      return () => {
        stopWatch()
        stopClosing()
        removeEventListener('focusout', saveNow)
        this.#isLoaded = false
        void save()
      }
    })
  }

  /** Whether the engine has said which there are. */
  get isLoaded(): boolean {
    this.#subscribe()
    return this.#isLoaded
  }

  /** Why the device did not take the last words; null if it did. */
  get problem(): string | null {
    this.#subscribe()
    return this.#problem
  }

  /** The unsaved edit of something; null if there is none. */
  of(edited: Edited): EditText | null {
    this.#subscribe()
    return this.#now(edited)
  }

  /** Keeps an unsaved edit; null removes it. */
  keep(edited: Edited, edit: EditText | null): void {
    const before = this.#now(edited)
    if (isSame(before, edit)) return
    this.#changes.set(edited, { edit, sent: null })
    if (edit === null) void this.save()
    else if (this.#timer === null) {
      // The first key at once: a window that is left takes no more with it than what it has sent.
      void this.save()
      this.#timer = setTimeout(() => void this.save(), keepMs)
    }
    if ((before === null) !== (edit === null)) this.#changed()
  }

  /**
   * Keeps the text in a field, unless it is the text that is there now. `previous` is the text that the edit is based
   * on, if that is another one; `mark` as in `EditText`.
   */
  keepChange(edited: Edited, text: string, now: string, previous: string | null = now, mark?: string): void {
    this.keep(edited, text === now ? null : { text, previous, ...(mark !== undefined && { mark }) })
  }

  /** Removes unsaved edits that the person gives up; a toast offers to bring them back. */
  giveUp(...editeds: readonly Edited[]): void {
    const given = editeds.map((edited) => [edited, this.#now(edited)] as const)
    if (given.every(([, edit]) => edit === null)) return
    for (const edited of editeds) this.keep(edited, null)
    toasts.show({
      words: t.shared.editDiscarded,
      undo: () => {
        // What was begun since stays.
        for (const [edited, edit] of given) if (this.#now(edited) === null) this.keep(edited, edit)
      },
    })
  }

  /**
   * What waited here gets another id when the server has it: its unsaved edit follows, to what has the text that it is
   * based on and, as far as known, the same mark. Returns the ids of the edits of that kind that belong to nothing in
   * the list.
   */
  follow(
    kind: 'scheduled' | 'snippet' | 'snippet-title' | 'profile-field' | 'reminder',
    all: readonly Editable[],
  ): string[] {
    this.#subscribe()
    const start = `${kind} `
    const ids = [...new Set([...this.#kept.keys(), ...this.#changes.keys()])].flatMap((edited) =>
      edited.startsWith(start) ? [edited.slice(start.length)] : [],
    )
    return ids.filter((id) => {
      if (all.some((one) => one.id === id)) return false
      const kept = this.#now(`${kind} ${id}`)
      if (kept === null) return false
      const mayBe = isOfServer(id) ? [] : all.filter((one) => isOfServer(one.id) && !ids.includes(one.id))
      const heir = mayBe.find(
        (one) => !isOutdated(kept, one.text) && (kept.mark === undefined || kept.mark === one.mark),
      )
      if (heir === undefined) return true
      this.keep(`${kind} ${heir.id}`, kept)
      this.keep(`${kind} ${id}`, null)
      return false
    })
  }

  /** Hands everything to the engine that it does not have yet; resolves once it has answered. Never rejects. */
  async save(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    await Promise.all(
      [...this.#changes].map(([edited, change]) => (change.sent ??= this.#send(edited, change))),
    )
  }

  async #send(edited: Edited, change: Change): Promise<void> {
    const { edit } = change
    try {
      await this.#bridge.call('keep-edit', { accountId: this.#accountId, edited, edit })
      this.#say(null)
      if (this.#changes.get(edited) !== change) return
      // Before the watch says so: in between, the edit would seem to be another one.
      const kept = new Map(this.#kept)
      if (edit === null) kept.delete(edited)
      else kept.set(edited, edit)
      this.#kept = kept
      this.#changes.delete(edited)
    } catch (error) {
      change.sent = null
      // What is wrong with the disk stands above the view.
      const { kind, message } = failureOf(error)
      this.#say(kind === 'device' ? t.failures.notSavedYet : `${t.failures.notSavedYet} ${message}`)
      this.#timer ??= setTimeout(() => void this.save(), this.#retryMs)
    }
  }

  #now(edited: Edited): EditText | null {
    const change = this.#changes.get(edited)
    return change === undefined ? (this.#kept.get(edited) ?? null) : change.edit
  }

  #say(problem: string | null): void {
    if (this.#problem === problem) return
    this.#problem = problem
    this.#changed()
  }

  #read(all: readonly UnsavedEdit[]): void {
    const isFirst = !this.#isLoaded
    this.#kept = new Map(all.map(({ edited, ...edit }) => [edited, edit]))
    this.#isLoaded = true
    if (isFirst) void this.#takeOver()
    this.#changed()
  }

  /** Takes over what an earlier version kept in the browser. */
  async #takeOver(): Promise<void> {
    const here = editsHere(this.#accountId)
    for (const { edited, ...edit } of here) if (this.#now(edited) === null) this.keep(edited, edit)
    await this.save()
    for (const { edited } of here) if (!this.#changes.has(edited)) dropEditHere(this.#accountId, edited)
  }
}

const isSame = (one: EditText | null, other: EditText | null): boolean =>
  one === null || other === null
    ? one === other
    : one.text === other.text &&
      one.previous === other.previous &&
      one.own === other.own &&
      one.mark === other.mark

/** Whether something was changed after its kept edit began. The server stores texts without blank edges. */
export const isOutdated = (kept: EditText | null, now: string): boolean =>
  kept !== null && kept.previous?.trim() !== now.trim()

/** Whether the id of a scheduled message, reminder or snippet is the server's. */
const isOfServer = (id: string): boolean => /^(scheduled-|reminder-)?\d+$/.test(id)
