import { failureOf } from '../../src-shared/failure.ts'

/** The text that a person reads when a call failed. */
export const failureText = (error: unknown): string => failureOf(error).message
