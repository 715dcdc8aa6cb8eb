import { linkLabel } from './link-label.ts'
import { restoreWordLists } from './word-lists.ts'

/**
 * Converts formatted text from elsewhere to Markdown that reads the same. Null if it has no formatting, so that the
 * plain text is the better paste. The tree comes from the browser's parser, which runs nothing.
 */
export function markdownFromHtml({ body }: Document): string | null {
  restoreWordLists(body)
  return hasFormatting(body) ? markdownOf(body) : null
}

/** The attribute with an element's Markdown, if it is known. */
export const verbatim = 'data-markdown'

/** The content of an element as Markdown, with or without formatting. */
export const markdownOf = (element: Element): string => blocks(element).trim()

const formatting = 'a[href],b,strong,i,em,s,del,strike,code,pre,ul,ol,blockquote,table,h1,h2,h3,h4,h5,h6'

/** Code editors copy one block of coloured text; word processors, spreadsheets and web pages copy real structure. */
function hasFormatting(body: Element): boolean {
  const found = body.querySelectorAll(`${formatting},span[style]`)
  return [...found].some((element) => {
    if (element.tagName === 'SPAN') return marksOfStyle(element).length > 0 && !isFromCodeEditor(element)
    // One office suite wraps every paste in a bold of normal weight, which is not formatting.
    return !(/^(B|STRONG)$/.test(element.tagName) && isNormalWeight(element))
  })
}

const styleOf = (element: Element) => element.getAttribute('style') ?? ''

const isNormalWeight = (element: Element) =>
  /(?:^|[;\s])font-weight:\s*(normal|[1-4]00)/i.test(styleOf(element))

/** The marks for what an element's style says; word processors express formatting so. */
function marksOfStyle(element: Element): string[] {
  const style = styleOf(element)
  // The browser writes the look of the page around what was selected in it, such as a word of a heading.
  if (/display:\s*inline\s*!important/i.test(style)) return []
  return [
    ...(/(?:^|[;\s])font-weight:\s*(bold|[6-9]00)/i.test(style) ? ['**'] : []),
    ...(/(?:^|[;\s])font-style:\s*italic/i.test(style) ? ['*'] : []),
    ...(/(?:^|[;\s])text-decoration(-line)?:[^;]*line-through/i.test(style) ? ['~~'] : []),
  ]
}

/** Whether it is written in the letters of code, in which styles are only colours. */
const isFromCodeEditor = (element: Element): boolean => {
  for (let one: Element | null = element; one !== null; one = one.parentElement)
    if (/font-family:[^;]*(mono|courier|consolas|menlo)/i.test(styleOf(one))) return true
  return false
}

const blockTags = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE DETAILS DIV DL FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION TABLE UL'.split(
    ' ',
  ),
)
const left = new Set('HEAD SCRIPT STYLE TEMPLATE NOSCRIPT TITLE META LINK'.split(' '))

/** The content of an element; in a point of a list (`isTight`), no empty lines separate its paragraphs. */
function blocks(parent: ParentNode, isTight = false): string {
  let text = ''
  let line = ''
  const flush = () => {
    const words = withoutGaps(line).trim()
    if (words !== '') text += `${words}${isTight ? '\n' : '\n\n'}`
    line = ''
  }
  for (const node of (parent as Node & ParentNode).childNodes) {
    if (node instanceof Element && left.has(node.tagName)) continue
    if (node instanceof Element && isBlock(node)) {
      flush()
      text += block(node, isTight)
    } else line += inline(node)
  }
  flush()
  return text
}

/** Words without spaces at the ends of lines, and without several empty lines in a row. Code keeps both. */
const withoutGaps = (words: string): string => words.replace(/[ \t]+\n/g, '\n').replace(/\n{3,}/g, '\n\n')

const paragraph = (words: string): string => (words === '' ? '' : `${words}\n\n`)

const isBlock = (element: Element): boolean =>
  blockTags.has(element.tagName) || [...element.children].some((child) => isBlock(child))

function block(element: Element, isTight: boolean): string {
  const { tagName } = element
  const known = element.getAttribute(verbatim)
  if (known !== null) return `${known}\n\n`
  const heading = /^H([1-6])$/.exec(tagName)
  if (heading?.[1] !== undefined) {
    const words = withoutGaps(inlines(element)).trim()
    return words === '' ? '' : `${'#'.repeat(Number(heading[1]))} ${words}\n\n`
  }
  switch (tagName) {
    case 'PRE':
      return fence(element)
    case 'HR':
      return '---\n\n'
    case 'BLOCKQUOTE': {
      const words = blocks(element).trim()
      return paragraph(words === '' ? '' : words.replace(/^/gm, '> ').replace(/^> $/gm, '>'))
    }
    case 'UL':
    case 'OL':
      return isTight ? list(element) : paragraph(list(element).trimEnd())
    case 'TABLE':
      return table(element)
    case 'A':
      return aroundBlocks(element, isTight)
    default:
      return blocks(element, isTight)
  }
}

function fence(element: Element): string {
  const code = element.querySelector('code')
  const language = /\blanguage-([\w+#-]+)/.exec(`${element.className} ${code?.className ?? ''}`)?.[1] ?? ''
  // Some web pages separate the lines by elements.
  for (const line of element.querySelectorAll('br')) line.replaceWith('\n')
  const words = (element.textContent ?? '').replace(/\n$/, '')
  const ticks = '`'.repeat(Math.max(2, ...(words.match(/`{3,}/g) ?? []).map(({ length }) => length)) + 1)
  return `${ticks}${language}\n${words}\n${ticks}\n\n`
}

function list(element: Element): string {
  const isOrdered = element.tagName === 'OL'
  let number = Number(element.getAttribute('start') ?? 1)
  let text = ''
  for (const item of element.children) {
    // Some editors put a nested list beside its item instead of inside it.
    if (item.tagName === 'UL' || item.tagName === 'OL') text += indented(list(item), 2)
    if (item.tagName !== 'LI') continue
    const mark = isOrdered ? `${number++}. ` : '* '
    text += `${mark}${indented(blocks(item, true).trimEnd(), mark.length).trimStart()}`.trimEnd() + '\n'
  }
  return text
}

/** The text with each line further to the right, so that all of it belongs to the point of a list. */
const indented = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by))

function table(element: Element): string {
  const cells = [...element.querySelectorAll('tr')]
    .filter((row) => row.closest('table') === element)
    .map((row) => [...row.children].filter(({ tagName }) => /^T[HD]$/.test(tagName)))
  // Mail and old web pages arrange everything else in tables.
  if (element.querySelector('table') !== null)
    return cells
      .flat()
      .map((cell) => blocks(cell))
      .join('')
  const rows = cells.map((row) =>
    row.map((cell) => inlines(cell).replace(/\s+/g, ' ').replaceAll('|', '\\|').trim()),
  )
  const width = Math.max(0, ...rows.map(({ length }) => length))
  const [head, ...rest] = rows
  if (head === undefined || width < 2)
    return paragraph(withoutGaps(rows.map((row) => row.join(' ')).join('\n')).trim())
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => cells[index] ?? '').join(' | ')} |`
  const rules = Array.from({ length: width }, (_, index) => alignmentRule(cells[0]?.[index]))
  return `${[line(head), line(rules), ...rest.map(line)].join('\n')}\n\n`
}

/** What stands below the head of a column, for the side to which the head's words are aligned. */
function alignmentRule(cell: Element | undefined): string {
  const side = /(?:^|[;\s])text-align:\s*(left|center|right)/i.exec(
    cell === undefined ? '' : styleOf(cell),
  )?.[1]
  const rules: Readonly<Record<string, string>> = { left: ':---', center: ':---:', right: '---:' }
  return rules[side?.toLowerCase() ?? ''] ?? '---'
}

const inlines = (parent: Node): string => [...parent.childNodes].map((node) => inline(node)).join('')

function inline(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? '').replace(/[\s\u00a0]+/g, ' ')
  if (!(node instanceof Element) || left.has(node.tagName)) return ''
  const known = node.getAttribute(verbatim)
  if (known !== null) return known
  const inner = () => inlines(node)
  switch (node.tagName) {
    case 'BR':
      return '\n'
    case 'B':
    case 'STRONG':
      return isNormalWeight(node) ? inner() : marked(inner(), '**')
    case 'I':
    case 'EM':
      return marked(inner(), '*')
    case 'S':
    case 'DEL':
    case 'STRIKE':
      return marked(inner(), '~~')
    case 'CODE':
    case 'TT':
    case 'KBD':
    case 'SAMP':
      return code(node.textContent ?? '')
    case 'IMG':
      return node.getAttribute('alt') ?? ''
    case 'A': {
      const words = inner().trim()
      const href = addressOf(node)
      if (words !== '') return href === null ? words : linked(words, href)
      return node.querySelector('img') === null ? '' : (href ?? '')
    }
    case 'SPAN':
      return marksOfStyle(node).reduce(marked, inner())
    default:
      return inner()
  }
}

/** Marks each line, because a mark cannot extend beyond one. */
const marked = (words: string, mark: string): string =>
  words
    .split('\n')
    .map((line) => {
      const [, before = '', core = '', after = ''] = /^(\s*)(.*?)(\s*)$/.exec(line) ?? []
      return core === '' || isMarked(core, mark) ? line : `${before}${mark}${core}${mark}${after}`
    })
    .join('\n')

/** Whether words have a mark already, because an element in another of the same kind has it. */
const isMarked = (words: string, mark: string): boolean =>
  mark !== '*' && words.split(mark).length === 3 && words.startsWith(mark) && words.endsWith(mark)

/** The address of a link that may be written; null for any other element. */
function addressOf(element: Element): string | null {
  const href = element.getAttribute('href') ?? ''
  return /^(https?|mailto):/i.test(href) ? href : null
}

function linked(words: string, href: string): string {
  return words === href || `mailto:${words}` === href ? words : `[${linkLabel(words)}](${href})`
}

/** A link around headings and paragraphs, such as a card, as one line; the address of one around more stands below. */
function aroundBlocks(element: Element, isTight: boolean): string {
  const href = addressOf(element)
  const words = blocks(element, isTight)
  if (href === null) return words
  if (element.querySelector('ul,ol,table,pre,blockquote') !== null) return `${words}${href}\n\n`
  const label = words.replace(/^#+ /gm, '').replace(/\s+/g, ' ').trim()
  return `${linked(label === '' ? href : label, href)}\n\n`
}

function code(words: string): string {
  if (words.trim() === '') return words
  const longest = Math.max(0, ...(words.match(/`+/g) ?? []).map(({ length }) => length))
  const ticks = '`'.repeat(longest + 1)
  // A backtick at an edge must not become part of the marks.
  const gap = /^`|`$/.test(words) ? ' ' : ''
  return `${ticks}${gap}${words}${gap}${ticks}`
}
