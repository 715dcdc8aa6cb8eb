import { picturesAgain } from '../state/reading/pictures-again.svelte.ts'

/** Whether the picture at an address could not be loaded. Another address may work, and the same once a server is back. */
export class ShownPicture {
  readonly #url: () => string | null
  #missing = $state.raw<{ readonly url: string | null; readonly times: number } | null>(null)

  constructor(url: () => string | null) {
    this.#url = url
  }

  get isMissing(): boolean {
    return this.#missing?.url === this.#url() && this.#missing.times === picturesAgain.times
  }

  /** An attachment for the picture. */
  readonly watch = (picture: HTMLImageElement): void => {
    const note = () => (this.#missing = { url: this.#url(), times: picturesAgain.times })
    // The image may have failed before this runs, because the first picture of the window already requested it.
    if (picture.complete && picture.naturalWidth === 0) note()
    picture.addEventListener('error', note)
  }
}
