/**
 * Every way a request can fail. Each kind says what the caller does about it.
 *
 * Failures are made in one place (the engine's connection) and travel as data; nobody reads their `message`
 * to decide anything, it is for people.
 */
export type Failure =
  /**
   * No answer: wait, it is retried by itself. `mayHaveArrived` tells whether the request can have had its effect
   * (the connection broke after it was sent) or cannot (it never reached the server).
   */
  | { kind: 'offline'; message: string; mayHaveArrived: boolean }
  /** The server asks for patience: wait `retryAfterMs`, then it is retried by itself. */
  | { kind: 'rateLimited'; message: string; retryAfterMs: number }
  /** The key or password is not accepted: ask the person to sign in again. */
  | { kind: 'unauthorized'; message: string; code: string }
  /** The server said no: show it, never repeat it unasked. `code` is the server's (specification, Errors). */
  | { kind: 'rejected'; message: string; code: string; status: number }
  /** The server failed (5xx): wait, it is retried by itself. */
  | { kind: 'serverFault'; message: string; status: number }
  /** The answer is not what the specification promises: a bug in one of the two, or not such a server at all. */
  | { kind: 'malformed'; message: string }
  /** This device cannot do it: disk full or failing, folder read-only, file of a newer version, second start. */
  | { kind: 'device'; message: string; code: DeviceFailureCode }
  /** Ours; logged with its stack. */
  | { kind: 'bug'; message: string }

export type DeviceFailureCode =
  'disk-full' | 'disk-error' | 'read-only' | 'newer-version' | 'damaged' | 'in-use' | 'no-keychain'

/** The one error class that carries a `Failure` through `throw`. */
export class FailureError extends Error {
  readonly failure: Failure

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options)
    this.name = 'FailureError'
    this.failure = failure
  }
}

/** The failure inside a thrown value; anything that is not a `FailureError` is a bug of ours. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof FailureError) return thrown.failure
  return { kind: 'bug', message: thrown instanceof Error ? thrown.message : String(thrown) }
}

/** Whether the same request may succeed later without anybody doing anything. */
export function isTransient(failure: Failure): boolean {
  return failure.kind === 'offline' || failure.kind === 'rateLimited' || failure.kind === 'serverFault'
}
