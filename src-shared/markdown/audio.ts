import type { MarkdownIt, StateInline } from 'markdown-it'
import { safeAddress } from './address.ts'
import { element } from './html.ts'
import { typedLinkAt } from './link.ts'
import { hasExtension, isUpload } from './media.ts'
import { fileName } from '../file-name.ts'
import { pushHtml, scopeOf } from './scope.ts'

function audio(state: StateInline, silent: boolean): boolean {
  if (state.src.charAt(state.pos) !== '!' || state.linkLevel > 0) return false
  const found = typedLinkAt(state, state.pos + 1)
  if (!found) return false
  const scope = scopeOf(state.env)
  const src = safeAddress(found.address, scope.context)
  if (src === undefined || !hasExtension(src, 'audio')) return false
  const isExternal = /^https?:/i.test(src)
  if (!isExternal && !isUpload(src)) return false
  if (!silent) {
    scope.hasLink = true
    if (isUpload(src)) scope.hasAttachment = true
    const title = state.src.slice(found.labelStart, found.labelEnd) || fileName(src)
    const original = isExternal ? src : undefined
    pushHtml(
      state,
      element(
        'audio',
        { controls: true, 'data-original-url': original, preload: 'metadata', src, title },
        '',
      ),
    )
  }
  state.pos = found.end
  return true
}

/** `![title](sound)`. At our feature level, the same syntax for a picture is a plain `!` followed by a link. */
export function audioPlugin(md: MarkdownIt): void {
  md.inline.ruler.at('image', audio)
}
