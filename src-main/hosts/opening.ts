import type { BridgeServer } from '../../src-shared/bridge/serve.ts'
import { fingerprintOf } from '../../src-shared/bridge/opening.ts'
import type { CheckedParamsOf, QueryName, ResultOf } from '../../src-shared/bridge/queries.ts'

/** More than are in view at first; the whole lists come after the first picture. */
const rowsAtFirst = 60

/**
 * What a window needs for its first picture, as one text in JSON, a list of `OpeningAnswer`. A query that has no answer yet is left out, and asked for by the window itself.
 */
export function openingAnswers(server: BridgeServer): string {
  const answers: string[] = []
  /** `cut`: what is asked instead, for an answer that is only the beginning. */
  const add = <N extends QueryName>(
    name: N,
    params: CheckedParamsOf<N>,
    cut: CheckedParamsOf<N> = params,
  ): string | null => {
    const json = answerOf(server, name, cut)
    if (json !== null) {
      const [nameText, paramsText, fingerprint] = [name, params, fingerprintOf(json)].map((part) =>
        JSON.stringify(part),
      )
      answers.push(`{"name":${nameText},"params":${paramsText},"fingerprint":${fingerprint},"value":${json}}`)
    }
    return json
  }
  add('device-settings', {})
  // The engine's own words, of the type that the query has.
  const accounts = JSON.parse(add('accounts', {}) ?? '[]') as ResultOf<'accounts'>
  const accountId = accounts[0]?.id
  if (accountId !== undefined) {
    add('sync-state', { accountId })
    add('sidebar', { accountId }, { accountId, first: rowsAtFirst })
    // As above.
    const settings = JSON.parse(
      add('account-settings', { accountId }) ?? 'null',
    ) as ResultOf<'account-settings'> | null
    if (settings?.homeView === 'inbox') {
      const all = { accountId, filter: 'all' } as const
      add('inbox', all, { ...all, first: rowsAtFirst })
    }
  }
  return `[${answers.join(',')}]`
}

/** The present answer; null where there is none at once. */
function answerOf<N extends QueryName>(
  server: BridgeServer,
  name: N,
  params: CheckedParamsOf<N>,
): string | null {
  let answer: string | null = null
  try {
    server.watch(name, params, (json) => (answer ??= json))()
  } catch {
    // The window is told why when it asks.
  }
  return answer
}
