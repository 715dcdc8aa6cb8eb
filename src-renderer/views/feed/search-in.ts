import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { searchText, type SearchTerm } from '../../../src-shared/model/search.ts'

const is = (operator: SearchTerm['operator'], operand: string): SearchTerm => ({
  operator,
  operand,
  isNegated: false,
})

/**
 * The search of everything in a channel, topic or direct conversation, ready for words; null where its conditions cannot
 * say which. `names`: of the channel, or of everybody else in the conversation.
 */
export function searchIn(narrow: Narrow, names: readonly string[]): string | null {
  // Commas part the names of a conversation, and quotes what is written as one.
  const isClear = names.length > 0 && !names.some((name) => /["]/.test(name) || name.trim() === '')
  if (!isClear) return null
  const [name = ''] = names
  switch (narrow.kind) {
    case 'channel':
      return searchText({ terms: [is('channel', name)], words: '' })
    case 'topic': {
      const hasName = narrow.topic.trim() !== '' && !narrow.topic.includes('"')
      return searchText({
        terms: [is('channel', name), ...(hasName ? [is('topic', narrow.topic)] : [])],
        words: '',
      })
    }
    case 'direct':
      return names.some((one) => one.includes(','))
        ? null
        : searchText({ terms: [is('dm', names.join(', '))], words: '' })
    default:
      return null
  }
}
