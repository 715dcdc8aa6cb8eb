import type { FormFile } from '../files/forms.ts'
import type { UserRow, Workspace } from '../workspace.ts'

/** What a handler gets besides its validated input. */
export interface HandlerContext {
  readonly workspace: Workspace
  /** The caller. Endpoints without authentication get a row that is nobody's. */
  readonly user: UserRow
  /** The client's name: the part of the User-Agent before the slash. */
  readonly client: string
  /** The file of an endpoint that accepts one; null elsewhere. */
  readonly file: FormFile | null
  /** Calls back when the connection is closed or has its answer. */
  readonly whenGone: (listener: () => void) => void
}
