import type { MarkdownIt, StateInline } from 'markdown-it'
import { element, escapeHtml } from './html.ts'
import { parseMoment } from './moment.ts'
import { pushHtml } from './scope.ts'

const timeMark = /<time:([^>\n]*)>/y

function time(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3c) return false
  timeMark.lastIndex = state.pos
  const match = timeMark.exec(state.src)
  const typed = match?.[1]
  const end = state.pos + (match?.[0].length ?? 0)
  if (typed === undefined || end > state.posMax) return false
  if (!silent) {
    const moment = parseMoment(typed)
    pushHtml(
      state,
      moment === undefined
        ? element('span', { class: 'timestamp-error' }, escapeHtml(`Invalid time format: ${typed}`))
        : element('time', { datetime: moment }, escapeHtml(typed)),
    )
  }
  state.pos = end
  return true
}

/** `<time:…>`, which every reader sees in their own time zone. */
export function timePlugin(md: MarkdownIt): void {
  md.inline.ruler.before('newline', 'time', time)
}
