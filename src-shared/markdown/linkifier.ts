import type { MarkdownIt, StateInline } from 'markdown-it'
import type { RE2JS } from 're2js'
import { safeAddress } from './address.ts'
import { re2 } from './libraries.ts'
import { pushLink } from './link.ts'
import type { MarkdownContext } from './render.ts'
import { byStart, foundAt, oncePerText, scopeOf, type Found } from './scope.ts'
import { expandTemplate } from '../uri-template.ts'

const maxPatternLength = 1000
const maxMatchesPerText = 100
const maxCompiled = 500

/**
 * Compiled patterns by source; undefined for a source that does not compile. The oldest entries are evicted first.
 */
const compiled = new Map<string, RE2JS | undefined>()

/**
 * The pattern, anchored between non-word characters.
 *
 * Administrators write these patterns, and with a backtracking engine one of them could hang the service. RE2 takes
 * time in proportion to the text. It also is the dialect in which the patterns are documented.
 */
function compile(pattern: string): RE2JS | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern)
  let regex: RE2JS | undefined
  try {
    if (pattern.length <= maxPatternLength) {
      regex = re2().RE2JS.compile(`(^|[^\\p{L}\\p{N}_])(${pattern})(?:$|[^\\p{L}\\p{N}_])`)
    }
  } catch {
    // A pattern that RE2 rejects matches nothing.
  }
  if (compiled.size >= maxCompiled) {
    const oldest = compiled.keys().next()
    if (!oldest.done) compiled.delete(oldest.value)
  }
  compiled.set(pattern, regex)
  return regex
}

/** Checks a pattern: returns what is wrong with it, or the names of its groups. */
export function patternFault(
  pattern: string,
): { kind: 'good'; groups: string[] } | { kind: 'bad'; reason: string } {
  if (pattern.trim() === '') return { kind: 'bad', reason: 'The pattern must not be empty.' }
  if (pattern.length > maxPatternLength) {
    return { kind: 'bad', reason: `A pattern may have ${maxPatternLength} characters at most.` }
  }
  try {
    re2().RE2JS.compile(pattern)
  } catch (error) {
    return { kind: 'bad', reason: `Bad regular expression: ${error instanceof Error ? error.message : ''}` }
  }
  const regex = compile(pattern)
  // An unbalanced parenthesis could otherwise close the group that the service puts around the pattern.
  if (regex === undefined) return { kind: 'bad', reason: 'Bad regular expression.' }
  return { kind: 'good', groups: Object.keys(regex.namedGroups()) }
}

/** A place where a linkifier matches. */
export interface LinkifierMatch extends Found {
  readonly text: string
  readonly url: string
}

/** All matches of the linkifiers in a text, by position; where two overlap the earlier linkifier wins. */
export function findLinkifierMatches(
  text: string,
  linkifiers: MarkdownContext['linkifiers'],
): readonly LinkifierMatch[] {
  const found: LinkifierMatch[] = []
  for (const { pattern, urlTemplate } of linkifiers) {
    const regex = compile(pattern)
    if (!regex?.test(text)) continue
    const names = Object.keys(regex.namedGroups())
    const matcher = regex.matcher(text)
    const earlier = found.slice()
    let position = 0
    for (
      let count = 0;
      count < maxMatchesPerText && position <= text.length && matcher.find(position);
      count++
    ) {
      const start = matcher.start(2)
      const end = matcher.end(2)
      // The character after one match may also precede the next, so the search continues at `end`.
      position = Math.max(end, position + 1)
      if (start === end || earlier.some((other) => start < other.end && other.start < end)) continue
      const values = Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? undefined]))
      found.push({ start, end, text: text.slice(start, end), url: expandTemplate(urlTemplate, values) })
    }
  }
  return found.sort((one, other) => one.start - other.start)
}

/** The organization's linkifiers in running text; see `topic-links.ts` for topics. */
export function linkifierPlugin(md: MarkdownIt): { starts: (state: StateInline) => Iterable<number> } {
  const matches = oncePerText((state) =>
    byStart(findLinkifierMatches(state.src, scopeOf(state.env).context.linkifiers)),
  )
  md.inline.ruler.after('linkify', 'linkifier', (state, silent) => {
    if (state.linkLevel > 0) return false
    const found = foundAt(matches(state), state)
    const href = found && safeAddress(found.url, scopeOf(state.env).context)
    if (!found || href === undefined) return false
    if (!silent) pushLink(state, href, found.text, { isBare: false })
    state.pos = found.end
    return true
  })
  return { starts: (state) => matches(state).keys() }
}
