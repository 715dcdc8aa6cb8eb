/** A size in which a picture is available; it keeps its proportions and is never enlarged. */
export interface ThumbnailFormat {
  /** The last segment of its address. */
  readonly name: string
  readonly max_width: number
  readonly max_height: number
  readonly format: 'webp'
  /** Whether an animated picture stays animated. */
  readonly animated: boolean
}

/** The formats that clients are told they can request (specification, POST /register: server_thumbnail_formats). */
export const thumbnailFormats: readonly ThumbnailFormat[] = [
  { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
  { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
]

const square = (side: number, kind: Pick<ThumbnailFormat, 'animated'>): ThumbnailFormat => ({
  name: `${side}x${side}${kind.animated ? '-anim' : ''}.webp`,
  max_width: side,
  max_height: side,
  format: 'webp',
  ...kind,
})

/** Avatars beside messages and in lists, and on cards. On high-density screens a CSS pixel is two by two. */
export const faceFormat = square(200, { animated: false })
export const largeFaceFormat = square(500, { animated: false })
/** Custom emoji, also where they appear large. */
export const emojiFormat = square(128, { animated: true })
/** The first frame of an animated one, for people who want no animation. */
export const stillEmojiFormat = square(128, { animated: false })
