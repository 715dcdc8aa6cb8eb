import { minuteMs } from '../../../src-shared/durations.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { mediaUrl } from '../../media.ts'
import { sizeWords } from '../../sizes.ts'
import { wholeFile } from '../../whole-file.ts'
import { fileName } from '../../../src-shared/file-name.ts'

const uploadHref = /^\/?user_uploads\//
const fileEnding = /\.([a-z0-9]{1,8})$/i

/** Turns links to uploaded files into cards that describe them, and makes films and sounds playable in place. */
export function prepareFiles(content: HTMLElement): void {
  hideNamesOfPictures(content)
  for (const link of content.querySelectorAll('a')) {
    const film = link.querySelector('video')
    if (film !== null) {
      // Inside the link, the player's buttons would follow it.
      film.controls = true
      film.dataset['href'] = link.getAttribute('href') ?? ''
      film.setAttribute('aria-label', link.title || fileName(film.dataset['href']))
      link.replaceWith(film)
    } else if (uploadHref.test(link.getAttribute('href') ?? '') && link.querySelector('img, audio') === null)
      makeCard(link)
  }
  for (const media of content.querySelectorAll<HTMLMediaElement>('video, audio')) watchMedia(media)
}

/** Hides the lines that only name pictures shown below them: a picture says its name itself. */
function hideNamesOfPictures(content: HTMLElement): void {
  const names = new Map<string | null, string>()
  for (const link of content.querySelectorAll<HTMLAnchorElement>('.message_inline_image a'))
    if (link.querySelector('img') !== null) names.set(link.getAttribute('href'), link.title)
  if (names.size === 0) return
  for (const line of content.querySelectorAll('p')) {
    const links = [...line.children].filter((one) => one.tagName !== 'BR')
    const isAlone = [...line.childNodes].every(
      (one) => one instanceof Element || one.textContent?.trim() === '',
    )
    const isNamed = (link: Element) =>
      fileEnding.test(link.textContent ?? '') && names.get(link.getAttribute('href')) === link.textContent
    if (isAlone && links.length > 0 && links.every(isNamed)) line.hidden = true
  }
}

function makeCard(link: HTMLAnchorElement): void {
  if (link.dataset['file'] !== undefined) return
  const name = fileName(link.getAttribute('href') ?? '')
  link.dataset['file'] = name
  link.classList.add('file-card')
  link.title = t.feed.files.download(name)
  const kind = fileEnding.exec(name)?.[1]
  // Most links have the file's name for their text.
  if (kind !== undefined && link.textContent?.endsWith(`.${kind}`) !== true)
    link.append(part('file-kind', kind.toUpperCase()))
  link.append(part('file-state', ''))
}

function part(className: string, text: string): HTMLSpanElement {
  const span = document.createElement('span')
  span.className = className
  span.textContent = text
  return span
}

/** The card at the pressed element; null for anything else. */
export const cardAt = (target: Element | null): HTMLAnchorElement | null =>
  target?.closest<HTMLAnchorElement>('a[data-file]') ?? null

/** Downloads the file of a card for the person; the card shows the progress. */
export function downloadFile(card: HTMLAnchorElement, accountId: string): Promise<void> {
  const address = mediaUrl(accountId, card.getAttribute('href') ?? '')
  return saveFile(address, card.dataset['file'] ?? '', (words) => {
    const state = card.querySelector('.file-state')
    if (state !== null) state.textContent = words
  })
}

/**
 * Saves a server's file under a name for the person, from this device's copy if there is one. Reports progress through
 * `say`.
 */
export async function saveFile(address: string, name: string, say: (words: string) => void): Promise<void> {
  say(t.feed.files.loading)
  try {
    const file = await wholeFile((range) => fetch(address, range === null ? {} : { headers: { range } }))
    if (file === 404) return say(t.feed.files.gone)
    if (typeof file === 'number') return say(t.feed.files.notHere)
    const own = URL.createObjectURL(file)
    const saving = document.createElement('a')
    saving.href = own
    saving.download = name
    saving.click()
    setTimeout(() => URL.revokeObjectURL(own), minuteMs)
    say(sizeWords(file.size))
  } catch {
    say(t.feed.files.failed)
  }
}

const isThere = (address: string): Promise<boolean> =>
  fetch(address).then(
    ({ ok }) => ok,
    () => false,
  )

/** Says in place why a film or sound cannot be played, and offers to try again. */
export function watchMedia(media: HTMLMediaElement): void {
  if (media.dataset['watched'] !== undefined) return
  media.dataset['watched'] = ''
  media.addEventListener('error', () => {
    if (media.hidden) return
    const note = document.createElement('div')
    note.className = 'media-note'
    note.setAttribute('role', 'status')
    const again = document.createElement('button')
    again.type = 'button'
    again.className = 'btn sm'
    again.textContent = t.shared.tryAgain
    again.addEventListener('click', () => {
      note.remove()
      media.hidden = false
      media.load()
    })
    const words = document.createElement('span')
    const { notHere, unplayable } = t.feed.files[media.tagName === 'VIDEO' ? 'film' : 'sound']
    words.textContent = notHere
    void isThere(media.currentSrc || media.src).then((isHere) => {
      if (isHere) words.textContent = unplayable
    })
    note.append(words, again)
    media.hidden = true
    media.after(note)
  })
}
