import type { MarkdownIt, StateInline } from 'markdown-it'
import { emojiHtml } from './emoji-mark.ts'
import { byStart, foundAt, oncePerText, pushHtml, scopeOf, type Found } from './scope.ts'

const emoticons: Readonly<Record<string, string>> = {
  ':)': 'slight_smile',
  ':-)': 'slight_smile',
  '(:': 'slight_smile',
  ':(': 'frown',
  ':-(': 'frown',
  '<3': 'heart',
  ':|': 'expressionless',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'grinning',
  ':o': 'open_mouth',
  ':O': 'open_mouth',
  ':p': 'stuck_out_tongue',
  ':P': 'stuck_out_tongue',
}

interface Emoticon extends Found {
  readonly name: string
}

const found = oncePerText((state: StateInline): ReadonlyMap<number, Emoticon> => {
  if (!scopeOf(state.env).context.translateEmoticons) return new Map()
  const all: Emoticon[] = []
  for (const { 0: text, index } of state.src.matchAll(/(?<!\S)[:;(<]\S{1,2}(?!\S)/g)) {
    const name = Object.hasOwn(emoticons, text) ? emoticons[text] : undefined
    if (name !== undefined) all.push({ start: index, end: index + text.length, name })
  }
  return byStart(all)
})

/** `:)` and similar emoticons, for senders who have switched their conversion on. */
export function emoticonPlugin(md: MarkdownIt): { starts: (state: StateInline) => Iterable<number> } {
  md.inline.ruler.before('newline', 'emoticon', (state, silent) => {
    const emoticon = foundAt(found(state), state)
    const html = emoticon && emojiHtml(emoticon.name, scopeOf(state.env).context)
    if (!emoticon || html === undefined) return false
    if (!silent) pushHtml(state, html)
    state.pos = emoticon.end
    return true
  })
  return { starts: (state) => found(state).keys() }
}
