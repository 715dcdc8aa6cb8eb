import type { ServerSearchResults } from '../../../src-shared/bridge/calls.ts'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import {
  hasFixedValue,
  isUnnamedTopic,
  operatorsBegunIn,
  parseSearch,
  searchText,
  termText,
  typedSearch,
  withTerms,
  wordsBefore,
  type SearchOperator,
  type SearchTerm,
} from '../../../src-shared/model/search.ts'
import { countedUpTo, type ServerSearchResult } from '../../../src-shared/model/search-results.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { failureText } from '../../state/failure-text.ts'
import { viewHeight } from '../../state/in-page.ts'
import { Watched } from '../../state/data/watched.svelte.ts'

/**
 * How long typing must pause before more results and the facets are shown, and before the server is asked;
 * milliseconds.
 */
const facetsAfterMs = 200
const serverAfterMs = 600
/** While a person types, one screen of results is enough; no result is lower than this many pixels. */
const shownWhileTyping = () => Math.min(20, Math.ceil(viewHeight() / 57))
const shownFirst = 50
/** How many pages of the server are searched at once for a message that is not on this device. */
const pagesAtOnce = 10

/** The state of the server's part of the search. */
interface ServerPart {
  readonly results: readonly ServerSearchResult[]
  readonly isAsking: boolean
  /** Whether the server has answered this search. */
  readonly isAnswered: boolean
  /** A message for people. */
  readonly problem: string | null
  readonly next: ServerSearchResults['next']
}

const nothingAsked: ServerPart = {
  results: [],
  isAsking: false,
  isAnswered: false,
  problem: null,
  next: null,
}

/** One search: its chips and words, what this device finds while they are typed, and what the server adds. */
export class SearchSession {
  readonly #bridge: Bridge
  readonly accountId: string
  readonly #isOnline: () => boolean

  terms = $state.raw<readonly SearchTerm[]>([])
  /** The text in the field beside the chips. */
  typed = $state('')
  server = $state.raw<ServerPart>(nothingAsked)
  limit = $state(shownWhileTyping())
  #settled = $state('')
  /** Whether the search changed a moment ago, so that it may change again. */
  readonly isTyping = $derived.by(() => this.#settled !== this.text)
  readonly #partly = $derived(typedSearch(this.typed))
  readonly #counted = $derived.by(() => {
    const { unfinished } = this.#partly
    return unfinished !== null && hasFixedValue(unfinished) ? withTerms(this.terms, [unfinished]) : this.terms
  })
  /** The whole search as text. Of a condition that is still being typed, only a value that is whole counts. */
  readonly text = $derived(
    searchText({
      terms: this.#counted,
      words: this.#partly.unfinished === null ? this.typed : wordsBefore(this.#partly),
    }),
  )
  /** The condition at the caret whose value is still being typed. */
  readonly unfinished = $derived(this.#partly.unfinished)
  readonly isEmpty = $derived(this.text.trim() === '')
  readonly found: Watched<'search'>
  readonly inside: Watched<'search-inside'>
  readonly facets: Watched<'search-facets'>
  readonly #settings: Watched<'account-settings'>
  /** Whether the shown facets belong to an earlier search. */
  readonly isCounting = $derived.by(() => this.isTyping || this.facets.current === undefined)

  #facetsTimer: ReturnType<typeof setTimeout> | undefined
  #serverTimer: ReturnType<typeof setTimeout> | undefined
  #question = 0

  constructor(bridge: Bridge, accountId: string, isOnline: () => boolean) {
    this.#bridge = bridge
    this.accountId = accountId
    this.#isOnline = isOnline
    this.#settings = $derived(new Watched(bridge, 'account-settings', { accountId }))
    this.found = $derived(new Watched(bridge, 'search', { accountId, text: this.text, limit: this.limit }))
    this.inside = $derived(
      new Watched(bridge, 'search-inside', { accountId, text: this.text, limit: this.limit }),
    )
    this.facets = $derived(new Watched(bridge, 'search-facets', { accountId, text: this.#settled }))
  }

  /** The name shown for the topic without a name. */
  get emptyTopicName(): string {
    return this.#settings.current?.emptyTopicName ?? ''
  }

  /** Shows the search that an address contains. */
  show(text: string): void {
    if (text === this.text) return
    const { terms, words } = parseSearch(text)
    this.terms = terms
    this.typed = words
    this.#changed()
  }

  /** The field's text changed: finished conditions become chips. */
  type(text: string): void {
    const { finished, rest } = typedSearch(text)
    if (finished.length > 0) this.terms = withTerms(this.terms, finished)
    this.typed = finished.length > 0 ? rest : text
    this.#changed()
  }

  /**
   * Finishes the condition that is being typed, with the given value or the one typed so far. `after` are words that
   * follow it. Without a value it does nothing, unless the topic without a name is given.
   */
  finish(operand?: string, after = ''): void {
    const { unfinished } = this
    const value = operand ?? unfinished?.operand.trim() ?? ''
    if (unfinished === null) return
    const isGiven = operand !== undefined && isUnnamedTopic({ ...unfinished, operand })
    if (value === '' && !isGiven) return
    const words = wordsBefore(this.#partly)
    this.typed = `${words === '' ? '' : `${words} `}${after}`
    this.terms = withTerms(this.terms, [{ ...unfinished, operand: value }])
    this.#changed()
  }

  /** Inserts an offered condition, or the beginning of one, in place of the part that is typed already. */
  offer(text: string): void {
    if (this.unfinished !== null) {
      const value = text.split(':')[1] ?? ''
      if (value !== '') this.finish(value)
      return
    }
    const begun = operatorsBegunIn(this.typed)
    const isBegun = begun.operators.some((operator) => text === `${operator}:`)
    const before = isBegun ? begun.before : this.typed
    this.type(`${before}${/(^|\s|-)$/.test(before) ? '' : ' '}${text}`)
    if (!text.endsWith(':')) this.finish()
  }

  remove(term: SearchTerm): void {
    this.terms = this.terms.filter((one) => one !== term)
    this.#changed()
  }

  /** Negates a condition, or ends its negation; it keeps its place. */
  flip(term: SearchTerm): void {
    this.terms = this.terms.map((one) => (one === term ? { ...term, isNegated: !term.isNegated } : one))
    this.#changed()
  }

  /** Turns a facet or an offered condition on or off. There is one per operator, except for `has` and `is`. */
  toggle(operator: SearchOperator, operand: string): void {
    if (this.#counted !== this.terms) this.finish()
    const isIt = (term: SearchTerm) =>
      term.operator === operator && term.operand === operand && !term.isNegated
    const others = this.terms.filter(
      (term) =>
        !isIt(term) &&
        (term.operator !== operator || term.isNegated || operator === 'has' || operator === 'is'),
    )
    const isOn = this.has(operator, operand)
    this.terms = isOn ? others : [...others, { operator, operand, isNegated: false }]
    this.#changed()
  }

  has(operator: SearchOperator, operand: string): boolean {
    return this.#counted.some(
      (term) => term.operator === operator && term.operand === operand && !term.isNegated,
    )
  }

  /** Limits the search to a period; null for no bound. */
  setDates(after: string | null, before: string | null): void {
    this.terms = [
      ...this.terms.filter(({ operator }) => operator !== 'after' && operator !== 'before'),
      ...(after === null ? [] : [{ operator: 'after', operand: after, isNegated: false } as const]),
      ...(before === null ? [] : [{ operator: 'before', operand: before, isNegated: false } as const]),
    ]
    this.#changed()
  }

  date(operator: 'after' | 'before'): string | null {
    return this.terms.find((term) => term.operator === operator)?.operand ?? null
  }

  clear(): void {
    this.terms = []
    this.typed = ''
    this.#changed()
  }

  showMore(): void {
    this.limit = countedUpTo
  }

  /** The server can be reached, perhaps again: asks it if it has not answered this search. */
  onConnected(): void {
    const { isAsking, isAnswered, problem } = this.server
    if (this.isEmpty || this.#serverTimer !== undefined || isAsking) return
    if (!isAnswered || problem !== null) void this.askServer()
  }

  /**
   * Asks the server for its first or next page, and for further ones if a page contains only messages of this device.
   */
  async askServer(): Promise<void> {
    const question = ++this.#question
    const { text, server: before } = this
    this.server = { ...before, isAsking: true, problem: null }
    const known = new Set(before.results.map(({ messageId }) => messageId))
    let { next } = before
    try {
      for (let page = 0; page < pagesAtOnce; page++) {
        const answer = await this.#bridge.call('search-server', {
          accountId: this.accountId,
          text,
          before: next,
        })
        if (question !== this.#question) return
        next = answer.next
        const added = answer.results.filter(({ messageId }) => !known.has(messageId))
        this.server = {
          results: [...before.results, ...added],
          isAsking: next !== null,
          isAnswered: true,
          problem: null,
          next,
        }
        if (added.length > 0 || next === null) break
      }
      this.server = { ...this.server, isAsking: false }
    } catch (error) {
      if (question === this.#question)
        this.server = { ...before, isAsking: false, problem: failureText(error), next }
    }
  }

  #changed(): void {
    this.#question++
    this.server = nothingAsked
    this.limit = shownWhileTyping()
    clearTimeout(this.#facetsTimer)
    clearTimeout(this.#serverTimer)
    this.#serverTimer = undefined
    this.#facetsTimer = setTimeout(() => {
      this.#settled = this.text
      this.limit = Math.max(this.limit, shownFirst)
    }, facetsAfterMs)
    if (this.isEmpty) return
    this.#serverTimer = setTimeout(() => {
      this.#serverTimer = undefined
      if (this.#isOnline()) void this.askServer()
    }, serverAfterMs)
  }
}

/** The number of results, in words. */
export const resultsText = (total: number, hasMore: boolean): string =>
  hasMore ? t.search.moreResults(total) : t.search.results(total)

/** The last condition, and its text for offering the search without it. */
export function withoutLastCondition(
  terms: readonly SearchTerm[],
): { readonly term: SearchTerm; readonly name: string } | null {
  const term = terms.at(-1)
  return term === undefined ? null : { term, name: termText(term).replace(/^-/, '−') }
}
