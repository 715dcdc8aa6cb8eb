import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { element } from './html.ts'
import { linkNote, type LinkNote } from './link.ts'
import { hasExtension, isUpload } from './media.ts'
import { pathOf } from '../file-name.ts'
import { scopeOf, type RenderScope } from './scope.ts'

/** How many distinct previews a message has; further links stay plain. */
const maxPreviews = 24

/** Image types that browsers cannot display; the service offers a converted copy. */
const foreignTypes = new Set(['image/heic', 'image/heif', 'image/tiff'])

interface Preview {
  readonly html: string
  /** True for a picture. If its address is all that a paragraph contains, the picture replaces the paragraph. */
  readonly replacesParagraph: boolean
}

function uploadedImage(href: string, title: string | undefined, scope: RenderScope): Preview | undefined {
  const path = pathOf(href)
  const image = scope.context.imageByPath(path)
  if (!image) return undefined
  const size = `${image.width}x${image.height}`
  const picture = element('img', {
    'data-animated': image.animated ? 'true' : undefined,
    'data-original-content-type': image.contentType,
    'data-original-dimensions': size,
    'data-transcoded-image': foreignTypes.has(image.contentType) ? `${size}.webp` : undefined,
    src: `/user_uploads/thumbnail/${path.slice('/user_uploads/'.length)}/840x560${image.animated ? '-anim' : ''}.webp`,
  })
  scope.hasImage = true
  return {
    html: element('div', { class: 'message_inline_image' }, element('a', { href, title }, picture)),
    replacesParagraph: true,
  }
}

function externalImage(href: string, title: string | undefined, scope: RenderScope): Preview {
  scope.hasImage = true
  const picture = element('img', { src: href })
  return {
    html: element('div', { class: 'message_inline_image' }, element('a', { href, title }, picture)),
    replacesParagraph: true,
  }
}

function video(href: string, title: string | undefined): Preview {
  const film = element('video', { preload: 'metadata', src: href }, '')
  const attributes = { class: 'message_inline_image message_inline_video' }
  return { html: element('div', attributes, element('a', { href, title }, film)), replacesParagraph: true }
}

const youtubeAddress =
  /^https?:\/\/(?:(?:www\.|m\.)?youtube\.com\/(?:watch\?(?:[^#\s]*&)?v=|shorts\/|embed\/|live\/)|youtu\.be\/)([\w-]{11})(?![\w-])/i

function youtube(href: string): Preview | undefined {
  const id = youtubeAddress.exec(href)?.[1]
  if (id === undefined) return undefined
  const picture = element('img', { src: `https://i.ytimg.com/vi/${id}/mqdefault.jpg` })
  const anchor = element('a', { 'data-id': id, href }, picture)
  return {
    html: element('div', { class: 'youtube-video message_inline_image' }, anchor),
    replacesParagraph: false,
  }
}

function previewOf(note: LinkNote, scope: RenderScope): Preview | undefined {
  const { href } = note
  const title = note.isBare && !isUpload(href) ? undefined : previewTitle(note)
  if (isUpload(href)) {
    if (hasExtension(href, 'video')) return video(href, title)
    return uploadedImage(href, title, scope)
  }
  if (!/^https?:\/\//i.test(href) || !scope.context.inlineImagePreview) return undefined
  if (hasExtension(href, 'video')) return video(href, title)
  if (hasExtension(href, 'image')) return externalImage(href, title, scope)
  return youtube(href)
}

function previewTitle({ href, text, isBare }: LinkNote): string | undefined {
  return isBare ? pathOf(href).split('/').at(-1) : text
}

/** True if a paragraph consists of one bare link. */
function isOnlyBareLink(inline: Token): boolean {
  const children = inline.children ?? []
  const [first] = children
  return children.length === 3 && first !== undefined && linkNote(first)?.isBare === true
}

/** Tokens inside which a link gets no preview. */
const withoutPreviews = new Set(['blockquote', 'spoiler_header'])

function appendPreviews(state: StateCore): void {
  const scope = scopeOf(state.env)
  const seen = new Set<string>()
  const output: Token[] = []
  let barred = 0
  let tables = 0
  let waiting: Preview[] = []

  const flush = (): void => {
    if (waiting.length === 0) return
    const token = new state.Token('preview', '', 0)
    token.block = true
    const lead = output.at(-1)?.hidden ? '\n' : ''
    token.content = `${lead}${waiting.map(({ html }) => html).join('')}\n`
    output.push(token)
    waiting = []
  }

  for (const token of state.tokens) {
    const container = token.type.replace(/_(?:open|close)$/, '')
    if (withoutPreviews.has(container)) barred += token.nesting
    if (container === 'table') tables += token.nesting
    output.push(token)

    if (token.type === 'inline' && barred === 0) {
      for (const child of token.children ?? []) {
        const note = linkNote(child)
        if (!note || seen.has(note.href) || seen.size >= maxPreviews) continue
        const preview = previewOf(note, scope)
        if (!preview) continue
        seen.add(note.href)
        waiting.push(preview)
      }
    } else if (token.nesting < 0 && tables === 0 && waiting.length > 0) {
      const [open, inline] = output.slice(-3)
      if (token.type === 'paragraph_close' && !token.hidden && waiting[0]?.replacesParagraph) {
        if (open?.type === 'paragraph_open' && inline && isOnlyBareLink(inline)) output.length -= 3
      }
      flush()
    }
  }
  flush()
  state.tokens = output
}

/**
 * Adds the pictures and films that a message links to, after the block that contains the link. Never inside quotes.
 */
export function previewPlugin(md: MarkdownIt): void {
  md.core.ruler.push('previews', appendPreviews)
  md.renderer.rules['preview'] = (tokens, index) => tokens[index]?.content ?? ''
}
