/**
 * Every way a request can fail. Each kind says what the caller does about it.
 *
 * Failures are data. `src-main/api/connection.ts` classifies what goes wrong with a request, and
 * `src-main/store/device-failure.ts` what goes wrong with the disk. Code that refuses something on this device throws
 * `refusedHere`.
 * Code decides by `kind` and `code`, never by `message`: the message is for people.
 */
export type Failure =
  /**
   * No answer: wait, it is retried automatically. `mayHaveArrived` is true if the request may have taken effect (the
   * connection broke after it was sent) and false if it never reached the server.
   */
  | { kind: 'offline'; message: string; mayHaveArrived: boolean }
  /** The server asks for patience: wait `retryAfterMs`, then it is retried automatically. */
  | { kind: 'rateLimited'; message: string; retryAfterMs: number }
  /** The key or password is not accepted: ask the person to sign in again. */
  | { kind: 'unauthorized'; message: string; code: string }
  /**
   * The server, or a check on this device, refused it: show it, never repeat it unasked. `code` says which refusal it
   * is; `details` has what else the server says about it.
   */
  | {
      kind: 'rejected'
      message: string
      code: string
      status: number
      details?: Readonly<Record<string, unknown>>
    }
  /** The server failed (5xx): wait, it is retried automatically. */
  | { kind: 'serverFault'; message: string; status: number }
  /**
   * The answer is not what the specification promises: one of the two has a bug, or it is not such a server at all.
   */
  | { kind: 'malformed'; message: string }
  /** This device cannot do it: disk full or failing, folder read-only, file of a newer version, second start. */
  | { kind: 'device'; message: string; code: DeviceFailureCode }
  /** A bug of ours; it is logged with its stack. */
  | { kind: 'bug'; message: string }

/** What it is that this device cannot do. */
export type DeviceFailureCode =
  | 'disk-full'
  | 'disk-error'
  | 'read-only'
  | 'newer-version'
  | 'damaged'
  | 'in-use'
  | 'no-keychain'

/** The one error class that carries a `Failure` through `throw`. */
export class FailureError extends Error {
  readonly failure: Failure

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options)
    this.name = 'FailureError'
    this.failure = failure
  }
}

/** A refusal of this device, which reached no server: a `FailureError` of kind rejected, for the caller to throw. */
export const refusedHere = (code: string, message: string): FailureError =>
  new FailureError({ kind: 'rejected', code, message, status: 0 })

/** The failure inside a thrown value; anything that is not a `FailureError` is a bug of ours. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof FailureError) return thrown.failure
  return { kind: 'bug', message: thrown instanceof Error ? thrown.message : String(thrown) }
}

/** What a log says of a thrown value: the failure's message; for a bug also where it is. */
export function logTextOf(thrown: unknown): string {
  const { kind, message } = failureOf(thrown)
  return kind === 'bug' && thrown instanceof Error ? (thrown.stack ?? message) : message
}

/** Whether the same request may succeed later without anybody doing anything. */
export function isTransient(failure: Failure): boolean {
  return failure.kind === 'offline' || failure.kind === 'rateLimited' || failure.kind === 'serverFault'
}
