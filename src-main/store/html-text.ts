import { Parser } from 'htmlparser2'
import { emojiFromCode } from '../../src-shared/model/emoji.ts'
import { toldHtml } from '../../src-shared/model/me-message.ts'
import { closedSpoiler } from '../../src-shared/model/spoiler.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { settingValue } from './account-settings.ts'
import type { ReadableDb } from './database.ts'

/**
 * The words of rendered content, from which the word index is built: without tags and hidden alternatives of math, with
 * blocks and lines separated, and emoji by their names.
 */
export const wordsFromHtml = (html: string): string =>
  textOf(html, { emojiOf: () => '', momentOf: () => '', spoiler: null })

/**
 * The text of rendered content as the person would read it: times in this device's zone and language by the clock that
 * they chose, spoilers opened, and polls and to-do lists called that. It must never be used as HTML.
 */
export const textFromHtml = (db: ReadableDb, html: string): string => readText(db, html, null)

/**
 * The same with spoilers closed and without `/me`: for notifications, lists and excerpts, which name the author and where
 * nobody has opened anything.
 */
export const closedTextFromHtml = (db: ReadableDb, html: string): string =>
  readText(db, toldHtml(html), closedSpoiler)

function readText(db: ReadableDb, html: string, spoiler: string | null): string {
  const command = /^<p>\/(poll|todo)(?=\s|<br>|<\/p>)/.exec(html)
  // Each line of a poll or list stands for itself.
  const lines = command === null ? html : html.slice(command[0].length).replaceAll('<br>', ' · ')
  const text = textOf(lines, {
    emojiOf: emojiFromCode,
    // Few messages have times, so only those ask for the clock.
    momentOf: (iso) => momentInWords(iso, settingValue(db, 'twentyFourHourTime')),
    spoiler,
  })
  if (command === null) return text
  return t.native[command[1] === 'poll' ? 'poll' : 'todo'](text.replace(/^· /, ''))
}

function momentInWords(iso: string, uses24HourClock: boolean): string {
  const at = new Date(iso)
  if (iso === '' || Number.isNaN(at.getTime())) return ''
  return at.toLocaleString(t.locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    minute: '2-digit',
    ...(uses24HourClock ? { hour: '2-digit', hourCycle: 'h23' } : { hour: 'numeric', hour12: true }),
  })
}

/** How special elements are read; absent where their text is used as it is. */
interface Reading {
  /** The text for an emoji's code. */
  emojiOf(code: string): string
  /** The text for a time, given as ISO 8601. */
  momentOf(iso: string): string
  /** Replaces the hidden content of a spoiler; null: the content is read. */
  readonly spoiler: string | null
}

/** The only tags that most messages have, and how they are read. */
const plainTags = new Map<string, string>([
  ...['p', 'ul', 'ol', 'li', 'blockquote'].flatMap((name): [string, string][] => [
    [`<${name}>`, ' '],
    [`</${name}>`, ' '],
  ]),
  ...['strong', 'em', 'del', 'code'].flatMap((name): [string, string][] => [
    [`<${name}>`, ''],
    [`</${name}>`, ''],
  ]),
  ['<br>', ' '],
  ['</a>', ''],
])
const plainLink = /^<a href="[^"<>&]*">$/
const plainLetter = /&(?:(lt|gt|amp|quot|#39);)?/g
const plainLetters: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }

/** The parser's result at a fraction of its cost; null if the content needs the parser. */
function plainText(html: string): string | null {
  let text = ''
  /** An item directly inside another ends it, and the outer item's closing tag then closes nothing. */
  let isInItem = false
  for (let from = 0; ;) {
    const at = html.indexOf('<', from)
    const piece = at < 0 ? html.slice(from) : html.slice(from, at)
    if (piece.includes('&')) {
      let isPlain = true
      text += piece.replace(plainLetter, (_, name: string | undefined) => {
        isPlain &&= name !== undefined
        return plainLetters[name ?? ''] ?? ''
      })
      if (!isPlain) return null
    } else text += piece
    if (at < 0) return text
    const end = html.indexOf('>', at) + 1
    if (end === 0) return null
    const tag = html.slice(at, end)
    const read = plainTags.get(tag) ?? (plainLink.test(tag) ? '' : null)
    if (read === null || (tag === '<li>' && isInItem)) return null
    if (tag === '<li>' || tag === '</ul>' || tag === '</ol>') isInItem = true
    else if (tag === '</li>' || tag === '<ul>' || tag === '<ol>') isInItem = false
    text += read
    from = end
  }
}

/** The text with every run of whitespace as one space, trimmed. */
const joined = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ').trim()

function textOf(html: string, { emojiOf, momentOf, spoiler }: Reading): string {
  const plain = plainText(html)
  if (plain !== null) return joined(plain)
  let text = ''
  let hidden = 0
  let depth = 0
  let isTooDeep = false
  // A formula has its drawing first and then its source; the source is read.
  let isFormula = false
  /** The text of a link to a place so far; null outside of such links. */
  let place: string | null = null
  const add = (piece: string) => {
    if (place === null) text += piece
    else place += piece
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      const isDrawn = isFormula && name !== 'annotation'
      isFormula = name === 'semantics'
      if (name === 'a' && placeLinks.has(attributes['class'] ?? '')) place ??= ''
      if (hidden > 0 || isDrawn || attributes['class']?.split(' ').includes('katex-html') === true) hidden++
      else if (name === 'span' && attributes['class']?.startsWith('emoji ') === true) {
        const emoji = emojiOf(/\bemoji-([\da-f-]+)/.exec(attributes['class'])?.[1] ?? '')
        add(emoji)
        if (emoji !== '') hidden++
      } else if (name === 'time') {
        const moment = momentOf(attributes['datetime'] ?? '')
        add(moment)
        if (moment !== '') hidden++
      } else if (spoiler !== null && attributes['class'] === 'spoiler-content') {
        add(` ${spoiler} `)
        hidden++
      } else if (name === 'br' || blocks.has(name)) add(' ')
      else if (name === 'img' && attributes['class'] === 'emoji') add(attributes['alt'] ?? '')
      if (hidden > 0 && voids.has(name)) hidden--
      depth++
      if (depth > deepest) {
        isTooDeep = true
        parser.pause()
      }
    },
    ontext(data) {
      if (hidden === 0) add(data)
    },
    onclosetag(name) {
      depth--
      if (name === 'a' && place !== null) {
        // As where messages are read: a chevron between channel and topic.
        text += place.replace(' > ', ' › ')
        place = null
      }
      if (hidden > 0) {
        if (!voids.has(name)) hidden--
      } else if (blocks.has(name)) add(' ')
    },
  })
  // It closes what is still open.
  parser.end(html)
  // Not by the depth: a void element is closed at once.
  if (isTooDeep) {
    text += place ?? ''
    if (hidden === 0) text += html.slice(parser.endIndex + 1).replace(/<[^<>]*>?/g, ' ')
  }
  return joined(text)
}

/**
 * How deep elements nest in what is read as HTML; the rest of a text that nests more deeply is read without its tags. The
 * parser looks through all open elements at each closing tag.
 */
const deepest = 200
const blocks = new Set('p div li ul ol blockquote pre h1 h2 h3 h4 h5 h6 table tr td th hr'.split(' '))
const placeLinks = new Set(['stream-topic', 'message-link'])
const voids = new Set('br img hr input source wbr'.split(' '))
