import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { pastesPlain } from '../../state/keys/chord.ts'
import { shortLink } from './smart-paste.ts'
import type { WrittenText } from './written-text.ts'

interface Parts {
  readonly bridge: Bridge
  readonly accountId: string
  readonly text: WrittenText
  attach(files: readonly File[]): void
  /** What is written; a reactive read. */
  written(): string
  /** How many characters a message may have. */
  maxLength(): number
}

/** What becomes of what is pasted into a field: files are attached, addresses and formatted words become Markdown. */
export class Pasting {
  readonly #parts: Parts
  /** A pasted text that is too long for a message; null otherwise. */
  #tooLong = $state.raw<string | null>(null)
  readonly isTooLong = $derived.by(
    () => this.#tooLong !== null && this.#parts.written().includes(this.#tooLong),
  )
  #isPlain = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** A key was pressed anywhere in the window. */
  onKey(event: KeyboardEvent): void {
    // Some keys make the browser paste plain text, but the paste event does not say so.
    this.#isPlain = pastesPlain(event)
  }

  onPaste(event: ClipboardEvent): void {
    const { bridge, accountId, text, attach, maxLength } = this.#parts
    const { clipboardData } = event
    if (clipboardData === null || this.#isPlain) return
    // A spreadsheet copies a table as formatted words and as a picture; the words are meant. Beside a file that was
    // copied in a file manager there is only its name.
    const isFormatted = ['text/html', 'text/plain'].every((type) => clipboardData.getData(type) !== '')
    if (clipboardData.files.length > 0 && !isFormatted) {
      event.preventDefault()
      attach([...clipboardData.files])
      return
    }
    const pasted = clipboardData.getData('text/plain').replaceAll('\r\n', '\n')
    if ([...pasted].length > maxLength()) this.#tooLong = pasted
    else if (
      text.pasteAddress(clipboardData, (address) => shortLink(address, bridge, accountId)) ||
      text.pasteFormatted(clipboardData)
    )
      event.preventDefault()
  }

  /** Removes the overlong text from the message and attaches it as a file. */
  pasteAsFile(): void {
    const { text, attach, written } = this.#parts
    const words = this.#tooLong
    this.#tooLong = null
    const value = written()
    const start = words === null ? -1 : value.indexOf(words)
    if (words === null || start < 0) return
    text.put({ value: value.slice(0, start) + value.slice(start + words.length), start, end: start })
    attach([new File([words], t.compose.paste.fileName, { type: 'text/plain' })])
  }
}
