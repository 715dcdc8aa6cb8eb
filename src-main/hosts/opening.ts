import type { BridgeServer } from '../../src-shared/bridge/serve.ts'
import { fingerprintOf } from '../../src-shared/bridge/opening.ts'
import type { CheckedParamsOf, QueryName, ResultOf } from '../../src-shared/bridge/queries.ts'

/** How many rows of a list the first picture contains, more than are visible; the whole lists follow later. */
const rowsAtFirst = 60

/**
 * The answers that a window needs for its first picture, as a JSON list of `OpeningAnswer`. A query that has no answer
 * yet is left out; the window asks for it.
 */
export function openingAnswers(server: BridgeServer): string {
  const answers: string[] = []
  /** `cut`: parameters for a shorter answer, which is delivered as the answer to `params`. */
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
  // Not validated: the engine made this JSON from the query's result.
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

/** The current answer as JSON; null if it is not available synchronously. */
function answerOf<N extends QueryName>(
  server: BridgeServer,
  name: N,
  params: CheckedParamsOf<N>,
): string | null {
  let answer: string | null = null
  try {
    server.watch(name, params, (json) => (answer ??= json))()
  } catch {
    // The window receives the error when it asks.
  }
  return answer
}
