import { t } from '../../../src-shared/texts/texts.ts'
import { mediaUrl } from '../../media.ts'
import { sizeWords } from '../../sizes.ts'
import { fileName } from './pictures.ts'

const uploadHref = /^\/?user_uploads\//

/** Turns links to uploaded files into cards that say what they are, and lets films and sounds play where they stand. */
export function prepareFiles(content: HTMLElement): void {
  for (const link of content.querySelectorAll('a')) {
    const film = link.querySelector('video')
    if (film !== null) {
      // Inside a link, its buttons would lead away.
      film.controls = true
      link.replaceWith(film)
    } else if (uploadHref.test(link.getAttribute('href') ?? '') && link.querySelector('img, audio') === null)
      makeCard(link)
  }
  for (const media of content.querySelectorAll<HTMLMediaElement>('video, audio')) watchMedia(media)
}

function makeCard(link: HTMLAnchorElement): void {
  if (link.dataset['file'] !== undefined) return
  const name = fileName(link.getAttribute('href') ?? '')
  link.dataset['file'] = name
  link.classList.add('file-card')
  link.title = t.feed.files.download(name)
  const kind = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]
  if (kind !== undefined) link.append(part('file-kind', kind.toUpperCase()))
  link.append(part('file-state', ''))
}

function part(className: string, text: string): HTMLSpanElement {
  const span = document.createElement('span')
  span.className = className
  span.textContent = text
  return span
}

/** The card that was pressed; null when it was something else. */
export const cardAt = (target: Element | null): HTMLAnchorElement | null =>
  target?.closest<HTMLAnchorElement>('a[data-file]') ?? null

/** Gives the file of a card to the person; the card says how that goes. */
export function downloadFile(card: HTMLAnchorElement, accountId: string): Promise<void> {
  const address = mediaUrl(accountId, card.getAttribute('href') ?? '')
  return saveFile(address, card.dataset['file'] ?? '', (words) => {
    const state = card.querySelector('.file-state')
    if (state !== null) state.textContent = words
  })
}

/** Gives a file of a server to the person under a name, from this device where it is kept; says how that goes. */
export async function saveFile(address: string, name: string, say: (words: string) => void): Promise<void> {
  say(t.feed.files.loading)
  try {
    const answer = await fetch(address)
    if (answer.status === 404) return say(t.feed.files.gone)
    if (!answer.ok) return say(t.feed.files.notHere)
    const file = await answer.blob()
    const own = URL.createObjectURL(file)
    const saving = document.createElement('a')
    saving.href = own
    saving.download = name
    saving.click()
    setTimeout(() => URL.revokeObjectURL(own), 60_000)
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

/** Says in place of a film or sound that does not load why, with a way to try again. */
function watchMedia(media: HTMLMediaElement): void {
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
