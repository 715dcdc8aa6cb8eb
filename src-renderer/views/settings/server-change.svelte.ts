import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { serverAnswers } from '../../../src-shared/model/account.ts'
import type { OrganizationPermissions } from '../../../src-shared/model/permissions.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { whenBack } from '../../state/signed-out.ts'
import { Watched } from '../../state/data/watched.svelte.ts'

/** Whether something of one's own account can be changed that only the server can change, and why not. */
export class ServerChange {
  readonly #permissions: Watched<'permissions'>
  readonly #sync: Watched<'sync-state'>
  readonly #permission: keyof OrganizationPermissions

  constructor(bridge: Bridge, accountId: string, permission: keyof OrganizationPermissions) {
    this.#permissions = new Watched(bridge, 'permissions', { accountId, narrow: null })
    this.#sync = new Watched(bridge, 'sync-state', { accountId })
    this.#permission = permission
  }

  get #isFixed(): boolean {
    return this.#permissions.current?.organization[this.#permission] === false
  }

  get isOff(): boolean {
    return this.#isFixed || !serverAnswers(this.#sync.current)
  }

  /** The obstacle in words; `fixed` if the organization does not permit it, and `help` if there is none. */
  help(help: string | undefined, fixed: string): string | undefined {
    if (this.#isFixed) return fixed
    const sync = this.#sync.current
    return serverAnswers(sync) ? help : t.settings.profile.whenOnline(whenBack(sync?.status === 'signed-out'))
  }
}
