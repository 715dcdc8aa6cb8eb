import type { ChannelColor } from '../../src-shared/model/message.ts'

/** Hues of the design's channel colours, in degrees of OKLCH. */
const hues: readonly (readonly [ChannelColor, number])[] = [
  ['coral', 20],
  ['rufous', 45],
  ['sand', 75],
  ['lichen', 105],
  ['moss', 133],
  ['fern', 155],
  ['tide', 212],
  ['sky', 248],
  ['iris', 280],
  ['heather', 315],
  ['plum', 345],
]
/** Below this chroma a colour looks grey. */
const leastChroma = 0.04

/** Computed colours: lists look up the same few again and again. */
const known = new Map<string, ChannelColor>()
const mostKnown = 1_000

/** The design's colour with the hue nearest to the server's `#rgb` or `#rrggbb`; slate for greys and invalid input. */
export function nearestColor(color: string): ChannelColor {
  const before = known.get(color)
  if (before !== undefined) return before
  if (known.size >= mostKnown) known.clear()
  const nearest = nearestTo(color)
  known.set(color, nearest)
  return nearest
}

function nearestTo(color: string): ChannelColor {
  const match = /^#(?:([0-9a-f])([0-9a-f])([0-9a-f])|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2}))$/i.exec(color)
  if (match === null) return 'slate'
  const [red, green, blue] = [1, 2, 3].map((index) => {
    const digits = match[index] === undefined ? (match[index + 3] ?? '00') : match[index] + match[index]
    const value = parseInt(digits, 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const { a, b } = oklab(red ?? 0, green ?? 0, blue ?? 0)
  if (Math.hypot(a, b) < leastChroma) return 'slate'
  const hue = ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360
  let nearest: ChannelColor = 'slate'
  let least = 360
  for (const [name, other] of hues) {
    const distance = Math.min(Math.abs(hue - other), 360 - Math.abs(hue - other))
    if (distance < least) {
      least = distance
      nearest = name
    }
  }
  return nearest
}

/** The two colour axes of Oklab, from linear sRGB (Björn Ottosson, 2020). */
function oklab(red: number, green: number, blue: number): { a: number; b: number } {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return {
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  }
}
