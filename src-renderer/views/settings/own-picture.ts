/** What servers take as it is, if it is not larger than this, in bytes. */
const mostBytes = 500 * 1_024
const takenTypes = ['image/png', 'image/jpeg', 'image/gif']
/** The longest side of a picture that is drawn anew, in pixels: twice what servers show. */
const longestSide = 1_000

/** A picture in a form that servers take. */
interface UsablePicture {
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/**
 * The file as it is if it is small, else the same picture drawn smaller: one from a camera is larger than servers take.
 * Null if the file is no picture.
 */
export async function usablePicture(file: File): Promise<UsablePicture | null> {
  if (file.size <= mostBytes && takenTypes.includes(file.type))
    return { name: file.name.slice(-200), mediaType: file.type, bytes: await bytesOf(file) }
  const picture = await createImageBitmap(file).catch(() => null)
  if (picture === null) return null
  const share = Math.min(1, longestSide / Math.max(picture.width, picture.height))
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(picture.width * share)),
    Math.max(1, Math.round(picture.height * share)),
  )
  const context = canvas.getContext('2d')
  if (context === null) return null
  // A JPEG has no transparency.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  let drawn: Blob | null = null
  for (const quality of [0.9, 0.7, 0.4]) {
    drawn = await canvas.convertToBlob({ type: 'image/jpeg', quality })
    if (drawn.size <= mostBytes) break
  }
  return drawn === null ? null : { name: 'picture.jpg', mediaType: 'image/jpeg', bytes: await bytesOf(drawn) }
}

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer())
