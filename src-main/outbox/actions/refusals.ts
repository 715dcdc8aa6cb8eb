import { FailureError, failureOf } from '../../../src-shared/failure.ts'

/** A refusal that follows from an answer of the server, although the request itself succeeded. */
export const refused = (message: string, code: string): FailureError =>
  new FailureError({ kind: 'rejected', code, message, status: 200 })

/** Awaits the request. A refusal whose code is in `texts` is thrown with that text instead of the server's. */
export async function withRefusalTexts<R>(
  request: Promise<R>,
  texts: Readonly<Record<string, string>>,
): Promise<R> {
  try {
    return await request
  } catch (error) {
    const failure = failureOf(error)
    const message =
      failure.kind === 'rejected' && Object.hasOwn(texts, failure.code) ? texts[failure.code] : undefined
    if (failure.kind !== 'rejected' || message === undefined) throw error
    throw new FailureError({ ...failure, message })
  }
}

/** Awaits the request; null if the server refuses it. Other failures are thrown. */
export async function unlessRefused<R>(request: Promise<R>): Promise<R | null> {
  try {
    return await request
  } catch (error) {
    if (failureOf(error).kind !== 'rejected') throw error
    return null
  }
}
