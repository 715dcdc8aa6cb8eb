/** A size in which a picture can be had; it keeps its proportions and never grows. */
export interface ThumbnailFormat {
  /** The last part of its address. */
  readonly name: string
  readonly max_width: number
  readonly max_height: number
  readonly format: 'webp'
  /** Whether a picture that moves still does. */
  readonly animated: boolean
}

/** What clients are told that they can ask for (specification, POST /register: server_thumbnail_formats). */
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

/** Faces beside messages and in lists; and in cards. On dense screens a point is two by two. */
export const faceFormat = square(200, { animated: false })
export const largeFaceFormat = square(500, { animated: false })
/** Custom emoji, also where they stand alone. */
export const emojiFormat = square(128, { animated: true })
/** The first picture of one that moves, for who wants nothing to. */
export const stillEmojiFormat = square(128, { animated: false })
