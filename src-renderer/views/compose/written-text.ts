import type { Completed } from './completion-text.ts'
import { formatted, putText, type Format, type SelectedText } from './format-text.ts'
import { markdownFromHtml } from './markdown-from-html.ts'
import { isWebAddress, linkedSelection } from './smart-paste.ts'
import { isInCode } from './trigger.ts'

/** A text that a person is writing. */
export interface Writing {
  text: string
  /**
   * To be called when the person changed the text. While an input method composes a word in it, no other text may take
   * its place; afterwards this is called again.
   */
  typed(how?: { readonly isComposing: boolean }): void
}

/** The text in a field, with every way to change it apart from typing. The field can undo each of them. */
export class WrittenText {
  readonly #field: () => HTMLTextAreaElement | null
  readonly #writing: () => Writing
  /** The text right after a completion that put a space before the caret. */
  #withGap: string | null = null

  constructor(field: () => HTMLTextAreaElement | null, writing: () => Writing) {
    this.#field = field
    this.#writing = writing
  }

  /** Sets the text and the selection. */
  put(text: SelectedText): void {
    const field = this.#field()
    if (field === null) return
    putText(field, text)
    const writing = this.#writing()
    writing.text = field.value
    writing.typed()
  }

  /** Sets the text to the result of a completion. */
  complete({ value, caret, hasGap }: Completed): void {
    this.put({ value, start: caret, end: caret })
    this.#withGap = hasGap ? value : null
  }

  /**
   * Handles a character typed right after a completion, which has added a space already: punctuation replaces that
   * space, and a space adds no second one. Returns whether the character was handled.
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
   * Inserts words at the caret, separated from the word before it. If `apart`, they begin on a new line, unless text
   * follows the caret on its line. Words that are for another text than the field's go to the end of that one.
   */
  insert(words: string, { apart = false, into = this.#writing() } = {}): void {
    const field = this.#field()
    if (field !== null && into === this.#writing()) {
      this.put(withWords(selectedIn(field), words, apart))
      return
    }
    const end = into.text.length
    into.text = withWords({ value: into.text, start: end, end }, words, apart).value
    into.typed()
  }

  /**
   * Pastes an address as a link on the selected words, or in the short form for places of the organization; false if
   * the data is not an address. One undo step restores the plain address.
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
          // Whatever the person typed meanwhile must not be disturbed.
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

  /** Pastes formatted text as Markdown; false if the plain text is the better paste. */
  pasteFormatted(data: DataTransfer): boolean {
    const field = this.#field()
    const html = data.getData('text/html')
    if (field === null || html === '') return false
    const markdown = markdownFromHtml(new DOMParser().parseFromString(html, 'text/html'))
    const plain = data.getData('text/plain')
    if (markdown === null || markdown === '' || markdown === plain.trim()) return false
    const selected = selectedIn(field)
    const { value, start, end } = selected
    if (isInCode(value, start)) return false
    const words = amid(selected, markdown, plain)
    // One undo step restores the plain text.
    this.put({ value: value.slice(0, start) + plain + value.slice(end), start, end: start + plain.length })
    this.#replace(selected, words)
    return true
  }
}

/** The beginning of a line that is no paragraph: a heading, a point of a list, a quote, code, a table or a rule. */
const blockMark = /^ *(?:#{1,6} |[*] |\d+\. |>|`{3}|\| |---$)/

/**
 * Pasted Markdown as it reads in place of the selection: blocks are on lines of their own, and words keep the spaces
 * around them, which only the plain text has.
 */
function amid({ value, start, end }: SelectedText, markdown: string, plain: string): string {
  const isAfterWords = /[^\n]$/.test(value.slice(0, start))
  const isBeforeWords = /^[^\n]/.test(value.slice(end))
  const last = markdown.split('\n\n').at(-1) ?? ''
  const before = blockMark.test(markdown) ? (isAfterWords ? '\n' : '') : (/^ +/.exec(plain)?.[0] ?? '')
  const isBlockLast = blockMark.test(last) || last.endsWith('```')
  const after = isBlockLast ? (isBeforeWords ? '\n\n' : '') : (/ +$/.exec(plain)?.[0] ?? '')
  return before + markdown + after
}

/** The text with words in place of the selection, separated from the word before them. */
function withWords({ value, start, end }: SelectedText, words: string, apart: boolean): SelectedText {
  const sign = apart && /^[^\S\n]*(?:\n|$)/.test(value.slice(end)) ? '\n' : ' '
  const gap = start > 0 && !/\s/.test(value[start - 1] ?? '') ? sign : ''
  const next = start + gap.length + words.length
  return { value: value.slice(0, start) + gap + words + value.slice(end), start: next, end: next }
}

const selectedIn = (field: HTMLTextAreaElement): SelectedText => ({
  value: field.value,
  start: field.selectionStart,
  end: field.selectionEnd,
})
