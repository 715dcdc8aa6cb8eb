/** An attachment for a picture that calls `note` if the picture cannot be loaded. */
export const whenMissing = (note: () => void) => (picture: HTMLImageElement) => {
  // The image may have failed before this runs, because the first picture of the window already requested it.
  if (picture.complete && picture.naturalWidth === 0) note()
  picture.addEventListener('error', note)
}
