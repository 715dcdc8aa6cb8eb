import { mediaUrl } from '../../media.ts'

/** A picture of a message, as the viewer shows it. */
export interface Picture {
  /** Address below the host: the whole picture. */
  readonly source: string
  /** Address below the host: what the message shows, for while the whole one loads. */
  readonly preview: string
  readonly name: string
  /** Address on its own server, for opening it elsewhere; empty where it has none. */
  readonly href: string
  /** Address below the host: the file as its sender sent it, and what it is called. */
  readonly file: string
  readonly fileName: string
}

/** The pictures of a message's content in their order, and where one of them stands. */
export function picturesIn(
  content: HTMLElement,
  accountId: string,
): { pictures: Picture[]; indexOf: (image: HTMLImageElement) => number } {
  const images = [
    ...content.querySelectorAll<HTMLImageElement>('.message_inline_image:not(.youtube-video) a img'),
  ]
  const pictures = images.map((image): Picture => {
    const href = image.closest('a')?.getAttribute('href') ?? ''
    const isForeign = image.dataset['transcodedImage'] !== undefined
    // What no browser shows, the server has converted for the preview.
    const file = href === '' ? image.src : mediaUrl(accountId, href)
    const name = nameOfPicture(image)
    return {
      source: isForeign ? image.src : file,
      preview: image.src,
      name,
      href,
      file,
      fileName: fileName(href) || name,
    }
  })
  return { pictures, indexOf: (image) => Math.max(0, images.indexOf(image)) }
}

/** What a picture of a message is called: as its sender did, else as its file. */
export function nameOfPicture(image: HTMLImageElement): string {
  const link = image.closest('a')
  return link?.title || fileName(link?.getAttribute('href') ?? '')
}

/** What the file at an address is called; empty where the address does not say. */
export function fileName(href: string): string {
  const name =
    href
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
