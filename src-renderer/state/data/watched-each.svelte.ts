import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { ParamsOf, QueryName, ResultOf } from '../../../src-shared/bridge/queries.ts'
import { accountId, type AccountId } from '../../../src-shared/ids.ts'
import { Watched } from './watched.svelte.ts'

/**
 * A query of each account as reactive values. Only other accounts or other parameters begin new watches, not other
 * facts about the same accounts. Create it while a component is created.
 */
export class WatchedEach<N extends QueryName> {
  readonly #ids: string
  readonly #watches: ReadonlyMap<string, Watched<N>>
  /** The last answers stay until the next ones arrive, so that nothing flickers. */
  readonly #last = new Map<string, ResultOf<N>>()

  constructor(
    bridge: Bridge,
    name: N,
    accounts: () => readonly { readonly id: AccountId }[],
    params: (accountId: AccountId) => ParamsOf<N>,
  ) {
    // A text, because two lists with the same ids are different objects.
    this.#ids = $derived(
      accounts()
        .map(({ id }) => id)
        .join(' '),
    )
    this.#watches = $derived(
      new Map(
        this.#ids
          .split(' ')
          .filter(Boolean)
          .map((id) => [id, new Watched(bridge, name, params(accountId(id)))]),
      ),
    )
  }

  /** Undefined until the first answer. */
  of(id: AccountId): ResultOf<N> | undefined {
    const now = this.#watches.get(id)?.current
    if (now !== undefined) this.#last.set(id, now)
    return now ?? this.#last.get(id)
  }
}
