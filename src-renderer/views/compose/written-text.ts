import { tick } from 'svelte'
import type { Completed } from './completion-text.ts'
import { formatted, putText, type Format, type SelectedText } from './format-text.ts'
import { markdownFromHtml } from './markdown-from-html.ts'
import { isWebAddress, linkedSelection } from './smart-paste.ts'
import { isInCode } from './trigger.ts'

/** A text that is being written. */
export interface Writing {
  text: string
  /** The person changed it. */
  typed(): void
}

/** The text in a field, and what changes it beside the keys. Everything the person does can be undone in the field. */
export class WrittenText {
  readonly #field: () => HTMLTextAreaElement | null
  readonly #writing: () => Writing
  /** The text right after a completion that put a space before the caret. */
  #withGap: string | null = null

  constructor(field: () => HTMLTextAreaElement | null, writing: () => Writing) {
    this.#field = field
    this.#writing = writing
  }

  /** Makes this the text and the selection. */
  put(text: SelectedText): void {
    const field = this.#field()
    if (field === null) return
    putText(field, text)
    const writing = this.#writing()
    writing.text = field.value
    writing.typed()
  }

  /** Makes what was completed the text. */
  complete({ value, caret, hasGap }: Completed): void {
    this.put({ value, start: caret, end: caret })
    this.#withGap = hasGap ? value : null
  }

  /**
   * Whether a typed character is done with: right after a completion a space is there already, and a mark of
   * punctuation takes its place.
   */
  fillGap({ inputType, data }: InputEvent): boolean {
    const field = this.#field()
    const isInGap = field !== null && field.value === this.#withGap
    this.#withGap = null
    if (!isInGap || inputType !== 'insertText' || data === null || !/^[\s,.;:!?)]$/.test(data)) return false
    const { value, start, end } = selectedIn(field)
    if (start !== end || value[start - 1] !== ' ') return false
    if (data !== ' ') this.put({ value: value.slice(0, start - 1) + data + value.slice(end), start, end })
    return true
  }

  format(kind: Format): void {
    const field = this.#field()
    if (field !== null) this.put(formatted(selectedIn(field), kind))
  }

  /**
   * Puts words where the caret is, apart from the word before it; what is `apart` begins a line there, unless a line
   * goes on behind the caret.
   */
  insert(words: string, apart = false): void {
    const field = this.#field()
    if (field === null) return
    const { value, start, end } = selectedIn(field)
    const sign = apart && /^[^\S\n]*(?:\n|$)/.test(value.slice(end)) ? '\n' : ' '
    const gap = start > 0 && !/\s/.test(value[start - 1] ?? '') ? sign : ''
    const next = start + gap.length + words.length
    this.put({ value: value.slice(0, start) + gap + words + value.slice(end), start: next, end: next })
  }

  /** Changes the words where the person is not writing; the caret stays where it was in them. */
  change(change: (text: SelectedText) => SelectedText): void {
    const field = this.#field()
    const writing = this.#writing()
    const next = change({
      ...(field === null ? { start: 0, end: 0 } : selectedIn(field)),
      value: writing.text,
    })
    writing.text = next.value
    writing.typed()
    void tick().then(() => document.activeElement === field && field?.setSelectionRange(next.start, next.end))
  }

  /**
   * Pastes an address as a link of the selected words, or as the way in which messages link to what it leads to; false
   * when it is no address. One step back gives the address instead.
   */
  pasteAddress(data: DataTransfer, find: (address: string) => Promise<string | null>): boolean {
    const field = this.#field()
    const address = data.getData('text/plain').trim()
    if (field === null || !isWebAddress(address)) return false
    const selected = selectedIn(field)
    const { value, start } = selected
    const linked = linkedSelection(selected, address)
    this.#replace(selected, address)
    if (linked !== null) this.put(linked)
    else if (!isInCode(value, start)) {
      const plain = field.value
      void find(address)
        .catch(() => null)
        .then((words) => {
          // What is typed by then is not to be disturbed.
          if (words === null || this.#field() !== field || field.value !== plain) return
          this.#replace({ value: plain, start, end: start + address.length }, words)
        })
    }
    return true
  }

  #replace({ value, start, end }: SelectedText, words: string): void {
    const next = start + words.length
    this.put({ value: value.slice(0, start) + words + value.slice(end), start: next, end: next })
  }

  /** Pastes formatted text as Markdown; false when the plain text is the better paste. */
  pasteFormatted(data: DataTransfer): boolean {
    const field = this.#field()
    const html = data.getData('text/html')
    if (field === null || html === '') return false
    const markdown = markdownFromHtml(new DOMParser().parseFromString(html, 'text/html'))
    const plain = data.getData('text/plain')
    if (markdown === null || markdown === '' || markdown === plain.trim()) return false
    const { value, start, end } = selectedIn(field)
    const next = start + markdown.length
    // One step back gives the plain words instead.
    this.put({ value: value.slice(0, start) + plain + value.slice(end), start, end: start + plain.length })
    this.put({ value: value.slice(0, start) + markdown + value.slice(end), start: next, end: next })
    return true
  }
}

const selectedIn = (field: HTMLTextAreaElement): SelectedText => ({
  value: field.value,
  start: field.selectionStart,
  end: field.selectionEnd,
})
