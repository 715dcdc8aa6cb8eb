import type { FormFile } from '../files/forms.ts'
import type { UserRow, Workspace } from '../workspace.ts'

/** What a handler gets beside its checked input. */
export interface HandlerContext {
  readonly workspace: Workspace
  /** Who asks. Endpoints without authentication get a row that is nobody's. */
  readonly user: UserRow
  /** The name before the slash of the User-Agent. */
  readonly client: string
  /** The file of an endpoint that takes one; null elsewhere. */
  readonly file: FormFile | null
  /** Calls when the connection is closed, or has its answer. */
  readonly whenGone: (listener: () => void) => void
}
