import { FailureError } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'

/** Puts a text into the clipboard. Fails in words for people where the system or the browser does not let it. */
export async function copyToClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch (cause) {
    // The browser says it in words for programmers.
    const message = t.shared.cannotCopy
    throw new FailureError({ kind: 'rejected', code: 'NOT_COPIED', message, status: 0 }, { cause })
  }
}
