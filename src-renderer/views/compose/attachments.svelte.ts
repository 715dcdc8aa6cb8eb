import { untrack } from 'svelte'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { linkOfFile, linkToFile, type OutgoingFile } from '../../../src-shared/model/outgoing-file.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { attach, fileMark, withAddress } from '../../state/attach.ts'
import { failureText } from '../../state/failure-text.ts'
import { Watched } from '../../state/watched.svelte.ts'
import type { SelectedText } from './format-text.ts'

/** What attaching files needs from the box around it. */
interface AttachmentParts {
  readonly bridge: Bridge
  readonly accountId: string
  /** The present text; a reactive read. */
  text(): string
  /** Changes the text without taking the focus. */
  change(change: (text: SelectedText) => SelectedText): void
  /** Inserts words at the caret, on a line below the text before it. */
  insert(words: string): void
  /** The same without taking the focus. */
  insertLater(words: string): void
  /** A problem to show to the person; null when it is solved. */
  failed(words: string | null): void
}

/** The files that a text links to and that are being uploaded. */
export class Attachments {
  readonly #parts: AttachmentParts
  readonly #ids = $derived.by(() => [...this.#parts.text().matchAll(linkOfFile)].map(([, id = '']) => id))
  readonly #hasAny = $derived(this.#ids.length > 0)
  readonly #known = $derived.by(() =>
    this.#hasAny ? new Watched(this.#parts.bridge, 'files', { accountId: this.#parts.accountId }) : null,
  )
  readonly files = $derived.by((): readonly OutgoingFile[] =>
    (this.#known?.current ?? []).filter(({ fileId }) => this.#ids.includes(fileId)),
  )

  constructor(parts: AttachmentParts) {
    this.#parts = parts
  }

  /**
   * Replaces links to uploaded files by the server's addresses, in this message and on the other devices. To be called
   * as an effect.
   */
  link(): void {
    for (const { fileId, url } of this.files) {
      if (url !== null) untrack(() => this.#parts.change((text) => withAddress(text, fileId, url)))
    }
  }

  /** Copies files to this device, one after another, and inserts a link for each at the caret. */
  async add(files: readonly File[]): Promise<void> {
    const { bridge, accountId, insert, insertLater, failed } = this.#parts
    const problems: string[] = []
    failed(null)
    let isFirst = true
    for (const file of files) {
      let fileId: string | null = null
      try {
        const { fileId: id, copied } = await attach(bridge, accountId, file)
        const mark = `${fileMark(file.name === '' ? t.compose.files.unnamed : file.name, id)} `
        if (isFirst) insert(mark)
        else insertLater(mark)
        isFirst = false
        fileId = id
        await copied
      } catch (error) {
        if (fileId !== null) this.remove(fileId)
        problems.push(t.compose.files.notAttached(file.name, failureText(error)))
        failed(problems.join(' '))
      }
    }
  }

  /** Removes a file from the text and from this device. */
  remove(fileId: string): void {
    const { bridge, accountId } = this.#parts
    const mark = `!?\\[[^\\]]*\\]\\(${linkToFile(fileId)}\\) ?`
    // With its line, if nothing else is on it.
    const place = new RegExp(`\\n${mark}(?=\\n|$)|${mark}`)
    this.#parts.change(({ value }) => {
      const next = value.replace(place, '')
      return { value: next, start: next.length, end: next.length }
    })
    void bridge.call('cancel-file', { accountId, fileId }).catch(() => {})
  }
}
