import type { UserId } from '../../src-shared/ids.ts'
import type { ReadableDb } from '../store/database.ts'

/** The parameters that every query of an account has. */
export interface QueryContext {
  readonly db: ReadableDb
  readonly ownUserId: UserId
  /** Epoch milliseconds. */
  readonly now: number
}
