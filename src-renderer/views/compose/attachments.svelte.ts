import { untrack } from 'svelte'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { linkOfFile, linkToFile, type OutgoingFile } from '../../../src-shared/model/outgoing-file.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { beginFile, cancelFile, copyFile, fileMark, withAddress } from '../../state/writing/attach.ts'
import { failureText } from '../../state/failure-text.ts'
import { Watched } from '../../state/data/watched.svelte.ts'
import type { Writing } from './written-text.ts'

/** What attaching files needs from the box around it. */
interface AttachmentParts {
  readonly bridge: Bridge
  readonly accountId: string
  /** The text in the field; a reactive read. */
  writing(): Writing
  /** Inserts words at the caret, on a line below the text before it; at the end of a text that has left the field. */
  insert(words: string, into: Writing): void
  /** A problem with the files of a text, to show to the person; null when it is solved. */
  failed(words: string | null, about: Writing): void
}

/** The files that a text links to and that are being uploaded. */
export class Attachments {
  readonly #parts: AttachmentParts
  readonly #ids = $derived.by(() =>
    [...this.#parts.writing().text.matchAll(linkOfFile)].map(([, id = '']) => id),
  )
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
      if (url !== null) untrack(() => change(this.#parts.writing(), (text) => withAddress(text, fileId, url)))
    }
  }

  /** Inserts links to files at the caret, and then copies the files to this device, one after another. */
  async add(files: readonly File[]): Promise<void> {
    const { bridge, accountId, insert, failed } = this.#parts
    // While files are copied, the person may send this text or turn to another.
    const writing = this.#parts.writing()
    const problems: string[] = []
    const fail = (file: File, error: unknown) => {
      problems.push(t.compose.files.notAttached(file.name, failureText(error)))
      failed(problems.join(' '), writing)
    }
    failed(null, writing)
    const all = await Promise.all(
      files.map(async (file) => {
        try {
          return [{ file, fileId: await beginFile(bridge, accountId, file) }]
        } catch (error) {
          fail(file, error)
          return []
        }
      }),
    )
    const begun = all.flat()
    const marks = begun.map(
      ({ file, fileId }) => `${fileMark(file.name === '' ? t.compose.files.unnamed : file.name, fileId)} `,
    )
    if (marks.length > 0) insert(marks.join(''), writing)
    for (const { file, fileId } of begun) {
      try {
        await copyFile(bridge, accountId, fileId, file)
      } catch (error) {
        this.#remove(fileId, writing)
        fail(file, error)
      }
    }
  }

  /** Removes a file from the text in the field and from this device. */
  remove(fileId: string): void {
    this.#remove(fileId, this.#parts.writing())
  }

  #remove(fileId: string, writing: Writing): void {
    const { bridge, accountId } = this.#parts
    const mark = `!?\\[[^\\]]*\\]\\(${linkToFile(fileId)}\\) ?`
    // With its line, if nothing else is on it.
    const place = new RegExp(`\\n${mark}(?=\\n|$)|${mark}`)
    change(writing, (text) => text.replace(place, ''))
    cancelFile(bridge, accountId, fileId)
  }
}

function change(writing: Writing, by: (text: string) => string): void {
  const next = by(writing.text)
  if (next === writing.text) return
  writing.text = next
  writing.typed()
}
