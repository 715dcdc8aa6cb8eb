import { t } from '../../../src-shared/texts/texts.ts'
import { picturesAgain } from '../../state/reading/pictures-again.svelte.ts'

/** The box within which the stylesheet shows a picture of a message, in pixels. */
const most = { width: 360, height: 200 }

/** Shows a box of the same size with the reason in place of a picture that cannot be loaded, until it can. */
export function watchPicture(picture: HTMLImageElement): void {
  if (picture.dataset['watched'] !== undefined) return
  picture.dataset['watched'] = ''
  picture.addEventListener('load', () => showPicture(picture))
  picture.addEventListener('error', () => {
    if (picture.hidden) return
    picture.hidden = true
    // Beside the preview of a website there is no room, and its words say what it shows.
    if (picture.closest('.message_embed_image') !== null) return
    const note = document.createElement('span')
    note.className = 'picture-note'
    note.title = t.shared.tryAgain
    const [width = 0, height = 0] = (picture.dataset['originalDimensions'] ?? '').split('x').map(Number)
    if (width > 0 && height > 0) {
      const scale = Math.min(1, most.width / width, most.height / height)
      note.style.width = `${width * scale}px`
      note.style.height = `${height * scale}px`
    }
    const name = document.createElement('b')
    name.textContent = picture.alt
    const words = document.createElement('span')
    words.textContent = t.feed.files.picture.notHere
    void fetch(picture.src).then(
      ({ status }) => {
        if (status === 404) words.textContent = t.feed.files.gone
        else if (status === 403) words.textContent = t.failures.foreignPicture
        else picturesAgain.noAnswer()
      },
      () => picturesAgain.noAnswer(),
    )
    note.append(name, words)
    picture.after(note)
  })
}

function showPicture(picture: HTMLImageElement): void {
  if (!picture.hidden) return
  picture.hidden = false
  const note = picture.nextElementSibling
  if (note?.className === 'picture-note') note.remove()
}

/** Asks again for the pictures of a message that could not be loaded. */
export function askAgain(content: ParentNode): void {
  for (const picture of content.querySelectorAll<HTMLImageElement>('img[data-watched][hidden]')) {
    showPicture(picture)
    picture.src = `${picture.getAttribute('src')}`
  }
}
