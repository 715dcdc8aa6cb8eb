import { fromStart } from '../../state/keys/direction.ts'
import { caretPlace } from './caret-place.ts'
import type { Completions } from './completions.svelte.ts'
import { isDoneAtOnce, type CommandName } from './known-words.ts'
import type { WidgetKind } from './widget-text.ts'
import type { WrittenText } from './written-text.ts'

/** The height limit of the list, and the height of a line of the field with a gap, pixels. */
const tallestList = 320
const lineHeight = 26

interface CompletingParts {
  readonly completions: Completions
  readonly text: WrittenText
  field(): HTMLTextAreaElement | null
  box(): HTMLElement | null
  /** The person chose a command that needs a form. */
  beginWidget(kind: WidgetKind): void
  /** The person chose a command that takes effect at once. */
  run(name: CommandName): void
}

/** The list of completions at a field: its position, its keys, and what it inserts. */
export class Completing {
  /** Where the list would begin in the box, in pixels from the box's start and from the edge that it is attached to. */
  place = $state.raw<{ start: number; edge: 'top' | 'bottom'; at: number }>({
    start: 0,
    edge: 'bottom',
    at: 0,
  })
  readonly completions: Completions
  readonly #parts: CompletingParts

  constructor(parts: CompletingParts) {
    this.#parts = parts
    this.completions = parts.completions
  }

  /** The caret moved, or the text before it changed. */
  follow(): void {
    const field = this.#parts.field()
    if (field === null) return
    this.completions.follow(field.value, field.selectionStart, field.selectionEnd)
    const { trigger } = this.completions
    if (trigger === null) return
    const { left, top } = caretPlace(field, trigger.start)
    const start = fromStart(left, field.clientWidth)
    const line = field.offsetTop + Math.max(0, top)
    // Above the caret's line, or below it if a feed or the window would cut off the list.
    const edgeAbove = field.closest('.feed')?.getBoundingClientRect().top ?? 0
    this.place =
      field.getBoundingClientRect().top + top - edgeAbove > tallestList
        ? { start, edge: 'bottom', at: (this.#parts.box()?.clientHeight ?? 0) - line + 4 }
        : { start, edge: 'top', at: line + lineHeight }
  }

  choose(index: number): void {
    const field = this.#parts.field()
    if (field === null) return
    const row = this.completions.rows[index]
    const done = this.completions.choose(field.value, field.selectionStart, index)
    if (done !== null) this.#parts.text.complete(done)
    if (row?.kind === 'command') {
      if (row.name === 'poll' || row.name === 'todo') this.#parts.beginWidget(row.name)
      else if (isDoneAtOnce(row.name)) this.#parts.run(row.name)
    }
    // After a link to a channel, the list may continue with topics; otherwise it closes.
    this.completions.close()
  }

  #chooseTopicOf(index: number): boolean {
    const field = this.#parts.field()
    if (field === null) return false
    const done = this.completions.chooseTopicOf(field.value, field.selectionStart, index)
    if (done === null) return false
    this.#parts.text.complete(done)
    this.follow()
    return true
  }

  /** Handles a key; returns whether it was meant for the list. */
  onKey(event: KeyboardEvent): boolean {
    const { completions } = this
    const isOpen = completions.trigger !== null && (completions.rows.length > 0 || completions.isPending)
    if (!isOpen || event.ctrlKey || event.metaKey || event.altKey) return false
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        completions.move(event.key === 'ArrowDown' ? 1 : -1)
        return true
      case 'Enter':
      case 'Tab':
        // While the answer is pending there may be nothing to choose yet, but the key must not send the message
        // instead.
        if (event.shiftKey) return false
        if (completions.rows.length > 0) this.choose(completions.at)
        return true
      case 'Escape':
        completions.close()
        return true
      case '>':
        return this.#chooseTopicOf(completions.at)
      default:
        return false
    }
  }
}
