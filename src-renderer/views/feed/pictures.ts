import { fileName } from '../../../src-shared/file-name.ts'
import { mediaUrl } from '../../media.ts'

/** A picture or film of a message, as the viewer shows it. */
export interface Picture {
  /** Host address of the full picture. */
  readonly source: string
  /** Host address of the version in the message, shown while the full picture loads; empty for a film. */
  readonly preview: string
  readonly isFilm: boolean
  readonly name: string
  /** Address on its own server, to open it elsewhere; empty if it has none. */
  readonly href: string
  /** Host address of the original file, and its name. */
  readonly file: string
  readonly fileName: string
}

/** What holds a picture or film to be viewed. The preview of a film on another website is a link to that website. */
export const shownPictures = '.message_inline_image:not(.youtube-video, .embed-video)'

/** The pictures and films of a message's content in order, and the index of one of them. */
export function picturesIn(
  content: HTMLElement,
  accountId: string,
): { pictures: Picture[]; indexOf: (one: Element) => number } {
  const images = [
    ...content.querySelectorAll<HTMLImageElement | HTMLVideoElement>(`${shownPictures} :is(a img, video)`),
  ]
  const pictures = images.map((image): Picture => {
    if (image instanceof HTMLVideoElement) return filmOf(image)
    const href = image.closest('a')?.getAttribute('href') ?? ''
    const isForeign = image.dataset['transcodedImage'] !== undefined
    // For formats that no browser shows, the preview is a version that the server converted.
    const file = href === '' ? image.src : mediaUrl(accountId, href)
    const name = nameOfPicture(image)
    return {
      source: isForeign ? image.src : file,
      preview: image.src,
      isFilm: false,
      name,
      href,
      file,
      fileName: fileName(href) || name,
    }
  })
  return {
    pictures,
    indexOf: (one) =>
      Math.max(
        0,
        images.findIndex((image) => image === one),
      ),
  }
}

/** A film, which plays in place of its link and has that link's address and name. */
function filmOf(film: HTMLVideoElement): Picture {
  const href = film.dataset['href'] ?? ''
  const name = film.getAttribute('aria-label') ?? fileName(href)
  return {
    source: film.src,
    preview: '',
    isFilm: true,
    name,
    href,
    file: film.src,
    fileName: fileName(href) || name,
  }
}

/** The name of a picture in a message: as its sender named it, otherwise its file name. */
export function nameOfPicture(image: HTMLImageElement): string {
  const link = image.closest('a')
  return link?.title || fileName(link?.getAttribute('href') ?? '')
}
