import type { MarkdownIt, StateInline } from 'markdown-it'
import { element, escapeHtml } from './html.ts'
import { pushHtml, scopeOf, type RenderScope } from './scope.ts'

const channelWords = new Set(['all', 'everyone', 'channel', 'stream'])

const personMark = /@(_?)\*\*([^*\n]{1,130})\*\*/y
const groupMark = /@(_?)\*([^*\n]{1,130})\*(?!\*)/y
/** Characters that may precede a mention: in `mail@**Ann**` there is none. */
const allowedBefore = /(?:^|[\s'"([{/<])$/

interface Mark {
  readonly name: string
  /** Silent by its own syntax, or because it is inside a quote. */
  readonly silent: boolean
  readonly end: number
}

function markAt(state: StateInline, pattern: RegExp): Mark | undefined {
  pattern.lastIndex = state.pos
  const match = pattern.exec(state.src)
  const end = state.pos + (match?.[0].length ?? 0)
  if (!match || end > state.posMax) return undefined
  return { name: match[2] ?? '', silent: match[1] === '_' || scopeOf(state.env).quoted, end }
}

function mentionHtml(kind: string, silent: boolean, id: Record<string, string>, name: string): string {
  const classes = silent ? `${kind} silent` : kind
  return element('span', { class: classes, ...id }, escapeHtml(silent ? name : `@${name}`))
}

function wildcardHtml({ name, silent }: Mark, scope: RenderScope): string | undefined {
  if (name === 'topic') {
    if (!silent) scope.mentionsTopic = true
    return mentionHtml('topic-mention', silent, {}, name)
  }
  if (!channelWords.has(name)) return undefined
  if (!silent) scope.mentionsChannel = true
  return mentionHtml('user-mention channel-wildcard-mention', silent, { 'data-user-id': '*' }, name)
}

function userHtml(mark: Mark, scope: RenderScope): string | undefined {
  const { context } = scope
  const [, name = mark.name, id] = /^(.*)\|(\d{1,10})$/.exec(mark.name) ?? []
  const user = id === undefined ? context.userByName(name) : context.userById(Number(id))
  if (!user) return undefined
  if (id !== undefined && name !== '' && name.toLowerCase() !== user.fullName.toLowerCase()) return undefined
  const silent = mark.silent || !user.isActive
  if (!silent) scope.mentionedUserIds.add(user.id)
  return mentionHtml('user-mention', silent, { 'data-user-id': String(user.id) }, user.fullName)
}

function groupHtml(mark: Mark, scope: RenderScope): string | undefined {
  const group = scope.context.groupByName(mark.name)
  if (!group) return undefined
  const silent = mark.silent || group.isSystem || !group.isActive
  if (!silent) scope.mentionedGroupIds.add(group.id)
  const name = group.isSystem ? group.displayName : group.name
  return mentionHtml('user-group-mention', silent, { 'data-user-group-id': String(group.id) }, name)
}

function mention(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src.charAt(pos) !== '@' || !allowedBefore.test(src.slice(Math.max(0, pos - 1), pos))) return false
  const person = markAt(state, personMark)
  const mark = person ?? markAt(state, groupMark)
  if (!mark) return false
  // A look-ahead for the end of another construct must not record a mention.
  const scope = silent
    ? { ...scopeOf(state.env), mentionedUserIds: new Set<number>(), mentionedGroupIds: new Set<number>() }
    : scopeOf(state.env)
  const html = person ? (wildcardHtml(mark, scope) ?? userHtml(mark, scope)) : groupHtml(mark, scope)
  // Nobody has that name: the text stays as it was typed, including its stars.
  if (!silent) pushHtml(state, html ?? escapeHtml(src.slice(pos, mark.end)))
  state.pos = mark.end
  return true
}

/** `@**person**`, `@**all**`, `@**topic**`, `@*group*`, and their silent forms with `@_`. */
export function mentionPlugin(md: MarkdownIt): void {
  md.inline.ruler.before('newline', 'mention', mention)
}
