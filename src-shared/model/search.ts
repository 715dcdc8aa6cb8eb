/** Operators whose values are names and may contain spaces: only a selection, a closing quote or Enter ends them. */
const namedOperators = [
  'channel',
  'topic',
  'sender',
  'dm',
  'dm-including',
  'group-pm-with',
  'mentions',
] as const
/** The filters that a search can have besides its words. */
export const searchOperators = [
  ...namedOperators,
  'is',
  'has',
  'in',
  'channels',
  'before',
  'after',
  'near',
  'with',
  'id',
] as const
export type SearchOperator = (typeof searchOperators)[number]
/** Those that a person is told of; an old name of the wire is understood all the same. */
export const offeredOperators = searchOperators.filter((one) => one !== 'group-pm-with')
export type OfferedOperator = (typeof offeredOperators)[number]

const isValues = ['starred', 'mentioned', 'alerted', 'unread', 'dm', 'resolved', 'followed', 'muted'] as const
export const hasValues = ['link', 'image', 'attachment', 'reaction', 'code'] as const
export type HasValue = (typeof hasValues)[number]

/** The fixed values of operators that accept no others. */
export const searchValues: { readonly [O in SearchOperator]?: readonly string[] } = {
  is: isValues,
  has: hasValues,
  in: ['home', 'all'],
  channels: ['public', 'web-public'],
}

/** One filter; a message must match all filters of a search. */
export interface SearchTerm {
  readonly operator: SearchOperator
  readonly operand: string
  readonly isNegated: boolean
}

/** Whether its value is whole: it is one of the operator's fixed values. */
export const hasFixedValue = ({ operator, operand }: Pick<SearchTerm, 'operator' | 'operand'>): boolean =>
  searchValues[operator]?.includes(operand.trim()) ?? false

/** Adds filters at the end; those that a search already has are not added again. */
export const withTerms = (
  terms: readonly SearchTerm[],
  added: readonly SearchTerm[],
): readonly SearchTerm[] => {
  const texts = new Set(terms.map(termText))
  return [...terms, ...added.filter((term) => !texts.has(termText(term)))]
}

/** A search as a person typed it, parsed. */
export interface ParsedSearch {
  readonly terms: readonly SearchTerm[]
  /** The remaining text: words and "exact phrases". */
  readonly words: string
}

/** Other clients' names for the same operators. */
const aliases: Readonly<Record<string, SearchOperator>> = {
  stream: 'channel',
  streams: 'channels',
  subject: 'topic',
  from: 'sender',
  'pm-with': 'dm',
  'dm-with': 'dm-including',
}

/** A filter, or an "exact phrase", in which there are none; one without its closing quote goes on to the end. */
const termOrPhrase = /(^|\s)(?:(-?)([a-z-]+):(?:"([^"]*)"|(\S+))|"[^"]*(?:"|$))/g

const isInPhrase = (text: string, index: number): boolean =>
  [...text.matchAll(termOrPhrase)].some(
    (found) => found[3] === undefined && found.index < index && index < found.index + found[0].length,
  )

/** The operator with that name, here or in another client. */
export const operatorOf = (name: string): SearchOperator | undefined =>
  searchOperators.find((known) => known === name) ??
  (Object.hasOwn(aliases, name) ? aliases[name] : undefined)

/** Whether a filter is for the topic without a name: `topic:""`. Nothing else can be without one. */
export const isUnnamedTopic = ({ operator, operand }: Pick<SearchTerm, 'operator' | 'operand'>): boolean =>
  operator === 'topic' && operand === ''

/** Parses a search; never throws. Text that only looks like an operator stays among the words. */
export function parseSearch(text: string): ParsedSearch {
  const terms: SearchTerm[] = []
  const words = text.replace(
    termOrPhrase,
    (all: string, _space: string, minus?: string, name?: string, quoted?: string, plain?: string) => {
      const operator = operatorOf(name ?? '')
      const operand = (quoted ?? plain ?? '').trim()
      if (operator === undefined || (operand === '' && !isUnnamedTopic({ operator, operand }))) return all
      const isOlderName = operator === 'is' && operand === 'private'
      terms.push({ operator, operand: isOlderName ? 'dm' : operand, isNegated: minus === '-' })
      return ''
    },
  )
  return { terms, words: words.replace(/^\s+/, '') }
}

/** A filter in the form in which it is typed. */
export function termText(term: SearchTerm): string {
  const { operator, operand, isNegated } = term
  const isQuoted = /[\s"]/.test(operand) || isUnnamedTopic(term)
  const value = isQuoted ? `"${operand.replaceAll('"', '')}"` : operand
  return `${isNegated ? '-' : ''}${operator}:${value}`
}

/** The inverse of `parseSearch`. */
export const searchText = ({ terms, words }: ParsedSearch): string =>
  [...terms.map(termText), ...(words === '' ? [] : [words])].join(' ')

/** The content of the search field while it is being typed. */
export interface TypedSearch {
  /** Complete filters. */
  readonly finished: readonly SearchTerm[]
  /** The remaining text, as typed. */
  readonly rest: string
  /** The filter at the end whose value is still being typed; `rest` contains its text too. */
  readonly unfinished: SearchTerm | null
}

/** Operators whose values are people. */
export const peopleOperators: readonly SearchOperator[] = namedOperators.slice(2)
const unfinishedTerm = /(^|\s)(-?)([a-z-]+):("?)([^":]*)$/

/** Parses the content of a search field, so that complete filters can become chips. */
export function typedSearch(text: string): TypedSearch {
  const match = unfinishedTerm.exec(text)
  const operator = operatorOf(match?.[3] ?? '')
  if (match === null || operator === undefined || isInPhrase(text, match.index + (match[1] ?? '').length)) {
    const { terms, words } = parseSearch(text)
    return { finished: terms, rest: words, unfinished: null }
  }
  const operand = match[5] ?? ''
  const isNamed = namedOperators.some((one) => one === operator) || match[4] === '"'
  // The own user is written as a single word.
  const isSelf = peopleOperators.includes(operator) && /^me\s/.test(operand)
  if (isSelf || (!isNamed && /\S\s/.test(operand))) {
    const { terms, words } = parseSearch(text)
    return { finished: terms, rest: words, unfinished: null }
  }
  const { terms, words } = parseSearch(text.slice(0, match.index))
  return {
    finished: terms,
    rest: [...(words === '' ? [] : [words]), text.slice(match.index).trimStart()].join(' '),
    unfinished: { operator, operand: operand.trimStart(), isNegated: match[2] === '-' },
  }
}

/** The words of a field without the filter that is still being typed. */
export const wordsBefore = (typed: TypedSearch): string =>
  typed.unfinished === null ? typed.rest : typed.rest.replace(unfinishedTerm, '$1').trimEnd()

/** What begins at the end of a text as an operator does, with the text before it; none when nothing does. */
export function operatorsBegunIn(text: string): { before: string; operators: readonly OfferedOperator[] } {
  const [, before = '', name = ''] = /^(|.*\s|-|.*\s-)([a-z][a-z-]+)$/s.exec(text) ?? []
  const isBegun = name !== '' && !isInPhrase(text, before.length)
  return { before, operators: offeredOperators.filter((one) => isBegun && one.startsWith(name)) }
}

/**
 * The start of the day that `2026-11-21` names, epoch milliseconds in this device's time zone; null if it is not a
 * date.
 */
export function dayFrom(text: string): number | null {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  if (match === null) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(year, month - 1, day)
  return date.getMonth() === month - 1 && date.getDate() === day ? date.getTime() : null
}
