import { FailureError } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'

/**
 * Copies a text to the clipboard. Fails with a message for people if the system or the browser does not allow it.
 */
export async function copyToClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch (cause) {
    // The browser's own message is meant for programmers.
    const message = t.shared.cannotCopy
    throw new FailureError({ kind: 'rejected', code: 'NOT_COPIED', message, status: 0 }, { cause })
  }
}
