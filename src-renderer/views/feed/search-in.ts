import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { searchText, type SearchTerm } from '../../../src-shared/model/search.ts'

const is = (operator: SearchTerm['operator'], operand: string): SearchTerm => ({
  operator,
  operand,
  isNegated: false,
})

/**
 * A search of everything in a channel, topic or direct conversation, to which words can be added; null if search
 * conditions cannot express the place. `names`: the channel's, or those by which a search finds the other people in the
 * conversation.
 */
export function searchIn(narrow: Narrow, names: readonly string[]): string | null {
  // Quotation marks enclose a name.
  const isClear = names.length > 0 && !names.some((name) => /["]/.test(name) || name.trim() === '')
  if (!isClear) return null
  const [name = ''] = names
  switch (narrow.kind) {
    case 'channel':
      return searchText({ terms: [is('channel', name)], words: '' })
    case 'topic': {
      const isQuotable = !narrow.topic.includes('"')
      return searchText({
        terms: [is('channel', name), ...(isQuotable ? [is('topic', narrow.topic)] : [])],
        words: '',
      })
    }
    case 'direct':
      return searchText({ terms: [is('dm', names.join(', '))], words: '' })
    default:
      return null
  }
}
