import { expandTemplate } from '../../../src-shared/uri-template.ts'
import type { GroupId } from '../../../src-shared/ids.ts'
import type { Playground } from '../../../src-shared/model/profile.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { mentionSubject } from '../../state/open-profile.svelte.ts'
import { clockTime, daysBetween, weekdayTime, zonedMoment } from '../../time.ts'
import { prepareFiles } from './file-cards.ts'
import { watchPicture } from './missing-pictures.ts'
import { nameOfPicture } from './pictures.ts'

/** What only the window knows about a message's reader. */
export interface Reader {
  readonly ownUserId: number
  readonly ownGroupIds: readonly GroupId[]
  /** The server says that the message mentions the reader. */
  readonly isMentioned: boolean
  /** Spoilers and long code blocks that the reader has opened, by their number in the message. */
  readonly opened: Set<string>
  readonly playgrounds: readonly Playground[]
}

/** The longest address to open, in characters; most browsers and servers accept no more. */
const longestAddress = 8_000
/** Longer code is folded, lines. */
const foldedLines = 24

/**
 * A moment in the reader's time zone: "Today 15:36", "Tomorrow 15:36", within the coming days "Fri 15:36", otherwise
 * "Fri 8 May, 15:36".
 */
export function momentText(at: number, now: number, uses24HourClock: boolean): string {
  const time = clockTime(at, uses24HourClock)
  const ahead = daysBetween(now, at)
  if (ahead === 0) return t.feed.content.todayAt(time)
  if (ahead === 1) return t.feed.content.tomorrowAt(time)
  if (ahead > 1 && ahead < 7) return weekdayTime(at, uses24HourClock)
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  const day = new Date(at).toLocaleDateString(t.locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
  return t.feed.content.dayAt(day, time)
}

/** Shows the times in sanitized content in the own time zone; `now` is asked only if there are any. */
export function showTimes(node: HTMLElement, uses24HourClock: boolean, now: () => number): void {
  for (const time of node.querySelectorAll('time[datetime]')) {
    const at = Date.parse(time.getAttribute('datetime') ?? '')
    if (Number.isNaN(at)) continue
    time.textContent = momentText(at, now(), uses24HourClock)
    time.setAttribute('title', zonedMoment(at, uses24HourClock))
  }
}

/**
 * Adds to sanitized content what the reader needs: highlighted own mentions, headings below those of the window,
 * spoilers and long code that open, copyable code, and pictures that reserve their space while they load. Running it
 * again on the same nodes changes nothing.
 */
export function enhanceContent(node: HTMLElement, reader: Reader): void {
  const ids = [String(reader.ownUserId), '*']
  for (const mention of node.querySelectorAll('.user-mention:not(.silent)'))
    if (ids.includes(mention.getAttribute('data-user-id') ?? '')) mention.classList.add('me')
  for (const mention of node.querySelectorAll('.user-group-mention:not(.silent)')) {
    const id = Number(mention.getAttribute('data-user-group-id'))
    mention.classList.toggle(
      'me',
      reader.ownGroupIds.some((own) => own === id),
    )
  }
  // It means the people who wrote in the topic; only the server knows whether the reader was among them.
  for (const mention of node.querySelectorAll('.topic-mention:not(.silent)'))
    mention.classList.toggle('me', reader.isMentioned)
  for (const mention of node.querySelectorAll<HTMLElement>('.user-mention, .user-group-mention')) {
    if (mentionSubject(mention) === null) continue
    mention.dataset['opensProfile'] = ''
    mention.setAttribute('role', 'button')
    mention.setAttribute('aria-haspopup', 'dialog')
    mention.tabIndex = 0
  }
  for (const link of node.querySelectorAll('a.stream-topic, a.message-link'))
    if (link.childElementCount === 0) link.textContent = (link.textContent ?? '').replace(' > ', ' › ')
  // Below the two headings of the window: the place, and the conversation.
  for (const heading of node.querySelectorAll('h1, h2, h3, h4, h5, h6'))
    heading.setAttribute('aria-level', String(Math.min(6, Number(heading.tagName.slice(1)) + 2)))
  // The website's name beside it leads to the same place.
  for (const link of node.querySelectorAll<HTMLElement>('.message_embed_image')) {
    link.tabIndex = -1
    link.setAttribute('aria-hidden', 'true')
  }
  prepareFiles(node)
  for (const [index, header] of [...node.querySelectorAll<HTMLElement>('.spoiler-header')].entries())
    prepareSpoiler(header, `spoiler-${index}`, reader)
  for (const [index, block] of [...node.querySelectorAll<HTMLElement>('.codehilite')].entries())
    prepareCode(block, `code-${index}`, reader)
  for (const picture of node.querySelectorAll<HTMLImageElement>('img[data-original-dimensions]'))
    reservePlace(picture)
  for (const picture of node.querySelectorAll<HTMLImageElement>('img:not(.emoji)')) {
    if (!picture.hasAttribute('alt')) picture.alt = nameOfPicture(picture) || t.feed.pictures.unnamed
    picture.loading = 'lazy'
    picture.decoding = 'async'
    watchPicture(picture)
  }
}

/** Whether the text is one paragraph of emoji and nothing else. */
export function isOnlyEmoji(node: HTMLElement): boolean {
  const [paragraph, another] = node.children
  if (paragraph?.tagName !== 'P' || another !== undefined) return false
  return (
    paragraph.querySelector('.emoji') !== null &&
    [...paragraph.childNodes].every((child) =>
      child instanceof Element ? child.matches('.emoji, br') : (child.textContent ?? '').trim() === '',
    )
  )
}

function prepareSpoiler(header: HTMLElement, key: string, { opened }: Reader): void {
  if (header.dataset['key'] !== undefined) return
  header.dataset['key'] = key
  header.setAttribute('role', 'button')
  header.tabIndex = 0
  if (header.textContent?.trim() === '') header.textContent = t.feed.content.spoiler
  const hidden = (header.nextElementSibling?.textContent ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  header.dataset['hint'] = t.feed.content.hiddenLines(hidden.length)
  showSpoiler(header, opened.has(key))
}

function showSpoiler(header: HTMLElement, isOpen: boolean): void {
  header.setAttribute('aria-expanded', String(isOpen))
  header.nextElementSibling?.setAttribute('aria-hidden', String(!isOpen))
}

/** Opens or closes the spoiler of a header. */
export function toggleSpoiler(header: HTMLElement, { opened }: Pick<Reader, 'opened'>): void {
  const key = header.dataset['key'] ?? ''
  const isOpen = header.getAttribute('aria-expanded') !== 'true'
  if (isOpen) opened.add(key)
  else opened.delete(key)
  showSpoiler(header, isOpen)
}

function prepareCode(block: HTMLElement, key: string, { opened, playgrounds }: Reader): void {
  if (block.dataset['key'] !== undefined) return
  block.dataset['key'] = key
  const tools = document.createElement('div')
  tools.className = 'code-tools'
  const language = block.getAttribute('data-code-language')
  if (language !== null && language !== '') {
    const name = document.createElement('span')
    name.className = 'code-lang'
    name.textContent = language.toLowerCase()
    tools.append(name)
    for (const { name: where, language: its, urlTemplate } of playgrounds) {
      if (its.toLowerCase() !== language.toLowerCase()) continue
      const run = glyph(t.feed.content.runIn(where), 'code-run')
      run.dataset['template'] = urlTemplate
      tools.append(run)
    }
  }
  tools.append(glyph(t.feed.content.copy, 'code-copy'))
  block.prepend(tools)
  const pre = block.querySelector('pre')
  // Long lines are scrolled, also by keyboard.
  if (pre !== null) pre.tabIndex = 0
  const lines = (pre?.textContent ?? '').trimEnd().split('\n').length
  if (lines > foldedLines && !opened.has(key)) {
    block.classList.add('is-folded')
    block.append(button(t.feed.content.moreLines(lines - foldedLines), 'code-more'))
  }
}

/** The playground address with the code beside a button; null if it is too long to open. */
export function runAddress(run: HTMLElement): string | null {
  const address = expandTemplate(run.dataset['template'] ?? '', { code: codeOf(run) })
  return address.length > longestAddress ? null : address
}

/** The text of the code that a button belongs to. */
export const codeOf = (tool: HTMLElement): string =>
  tool.closest('.codehilite')?.querySelector('pre')?.textContent ?? ''

/** Shows for a while on the button that its code was copied. */
export function sayCopied(copy: HTMLElement): void {
  const say = (words: string, isDone: boolean) => {
    copy.setAttribute('aria-label', words)
    copy.title = words
    copy.classList.toggle('is-done', isDone)
  }
  say(t.feed.content.copied, true)
  setTimeout(() => say(t.feed.content.copy, false), 1_200)
}

/** Shows the whole of a folded code block. */
export function unfoldCode(block: HTMLElement, { opened }: Pick<Reader, 'opened'>): void {
  opened.add(block.dataset['key'] ?? '')
  block.classList.remove('is-folded')
  block.querySelector('.code-more')?.remove()
}

function button(text: string, name: string): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = `btn sm ghost ${name}`
  made.textContent = text
  return made
}

/** A button that shows only an icon, drawn by the stylesheet. */
function glyph(words: string, name: string): HTMLButtonElement {
  const made = button('', name)
  made.setAttribute('aria-label', words)
  made.title = words
  return made
}

/** Reserves the size at which a picture is shown, so that nothing moves when it arrives. */
function reservePlace(picture: HTMLImageElement): void {
  const [width = 0, height = 0] = (picture.dataset['originalDimensions'] ?? '').split('x').map(Number)
  if (!(width > 0 && height > 0)) return
  picture.width = width
  picture.height = height
}
