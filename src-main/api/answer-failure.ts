import type { OpenedEnvelope } from '../../src-shared/api/encoding.ts'
import type { Failure } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { longestRetryMs } from './backoff.ts'
import type { Answer } from './exchange.ts'
import type { Occasion } from './network.ts'

/**
 * The failure that an answer means if it is not the server's own error: its envelope cannot be read, or it has a
 * redirect's or an error's status. `form` tells what it has instead of an envelope; null if it has one.
 */
export function failureWithoutEnvelope(
  answer: Answer,
  form: Extract<OpenedEnvelope, { kind: 'malformed' }>['form'] | null,
  { hasFile, during }: { readonly hasFile: boolean; readonly during: Occasion },
): Failure {
  const { status } = answer
  // A proxy refuses what is too large with a page of its own, before the server sees it.
  // A retry cannot help, so this is a refusal although there is no envelope.
  if (status === 413) {
    return hasFile
      ? { kind: 'rejected', code: 'FILE_TOO_LARGE', message: t.failures.server.fileTooLarge, status }
      : { kind: 'rejected', code: 'REQUEST_TOO_LARGE', message: t.failures.server.requestTooLarge, status }
  }
  if (status === 401)
    return { kind: 'unauthorized', message: t.failures.server.keyRefused, code: 'UNAUTHORIZED' }
  if (status === 511) return { kind: 'serverFault', message: t.failures.network.asksToSignIn[during], status }
  if (status >= 500) return { kind: 'serverFault', message: t.failures.server.failed(status), status }
  if (status >= 300 && status < 400) {
    const location = answer.header('location') ?? ''
    const message = URL.canParse(location)
      ? t.failures.server.leadsTo(new URL(location).host)
      : t.failures.server.leadsElsewhere
    return { kind: 'malformed', message: `${message} ${t.failures.network.perhapsAsksToSignIn[during]}` }
  }
  if (form === null) return { kind: 'malformed', message: t.failures.server.status(status) }
  const reason = t.failures.server.unreadable[form]
  const message = form === 'page' ? `${reason} ${t.failures.network.perhapsAsksToSignIn[during]}` : reason
  return { kind: 'malformed', message }
}

/** How long the server asks to wait, in milliseconds, from the answer's fields or header; undefined if it does not. */
export function retryAfterMs(answer: Answer, extra: Record<string, unknown>): number | undefined {
  const inBody = extra['retry-after']
  const seconds = typeof inBody === 'number' ? inBody : Number(answer.header('retry-after') ?? Number.NaN)
  if (!Number.isFinite(seconds)) return undefined
  // At least a moment, and never so long that a server's mistake keeps the app offline for a day.
  return Math.min(Math.max(seconds * 1_000, 100), longestRetryMs)
}
