import { FailureError, failureOf } from '../../../src-shared/failure.ts'

/** A refusal that this side gives itself. */
export const refused = (message: string, code: string): FailureError =>
  new FailureError({ kind: 'rejected', code, message, status: 200 })

/** Sends, and says a refusal in our own words where there are any for its code. */
export async function explained<R>(request: Promise<R>, words: Readonly<Record<string, string>>): Promise<R> {
  try {
    return await request
  } catch (error) {
    const failure = failureOf(error)
    const message =
      failure.kind === 'rejected' && Object.hasOwn(words, failure.code) ? words[failure.code] : undefined
    if (failure.kind !== 'rejected' || message === undefined) throw error
    throw new FailureError({ ...failure, message })
  }
}

/** What was asked of the server; null when it refuses to tell. */
export async function unlessRefused<R>(request: Promise<R>): Promise<R | null> {
  try {
    return await request
  } catch (error) {
    if (failureOf(error).kind !== 'rejected') throw error
    return null
  }
}
