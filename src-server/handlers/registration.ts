import type { InputOf } from '../../src-shared/api/endpoint.ts'
import type { ClientCapabilities, queue as endpoints } from '../../src-shared/api/queue.ts'
import type { UserRow, Workspace } from '../workspace.ts'

/** The caller of a registration, and its parameters. */
export interface Registration {
  readonly workspace: Workspace
  readonly user: UserRow
  readonly input: InputOf<(typeof endpoints)['registerQueue']>
  readonly capabilities: ClientCapabilities
  /** Whether a type of data was requested: by name, or together with everything. */
  wants(type: string): boolean
  /** Whether a type of data was requested by name. */
  names(type: string): boolean
}
