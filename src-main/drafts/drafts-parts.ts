import type { UserId } from '../../src-shared/ids.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Connection } from '../api/connection.ts'
import type { Store } from '../store/database.ts'
import type { LinkedFiles } from './uploads.ts'

/** What drafts need from the other parts of their account. */
export interface DraftsParts {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly signal: AbortSignal
  /** The attached files that texts link to. */
  readonly files: LinkedFiles
  log(line: string): void
  /** Whether the server supports drafts and the person has draft sync switched on. */
  keepsDrafts(): boolean
  /** Resolves once all events that the queue holds now have been applied; rejects if that failed. */
  catchUp(): Promise<void>
  /** Gets a new queue and a new snapshot. */
  registerAnew(): Promise<void>
  /** Starts to ask the server where the topics in doubt are. */
  findTopics(): void
}
