/** What can be read from a picture without decoding it. */
export interface ImageSize {
  readonly contentType: string
  readonly width: number
  readonly height: number
  readonly isAnimated: boolean
}

/** Reads type and size from the head of a file; undefined if it is not a picture that browsers display. */
export function imageSize(bytes: Buffer): ImageSize | undefined {
  const found = png(bytes) ?? gif(bytes) ?? webp(bytes) ?? jpeg(bytes) ?? avif(bytes)
  return found !== undefined && found.width > 0 && found.height > 0 ? found : undefined
}

const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to)

function png(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 33 || ascii(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || ascii(bytes, 12, 16) !== 'IHDR')
    return undefined
  // The animation chunk precedes the first picture chunk.
  let isAnimated = false
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const kind = ascii(bytes, at + 4, at + 8)
    if (kind === 'acTL') isAnimated = true
    if (kind === 'acTL' || kind === 'IDAT') break
  }
  return {
    contentType: 'image/png',
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    isAnimated,
  }
}

function gif(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 13 || !/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return undefined
  return {
    contentType: 'image/gif',
    width: bytes.readUInt16LE(6),
    height: bytes.readUInt16LE(8),
    // Only a file that plays more than one picture says how often to repeat.
    isAnimated: bytes.includes('NETSCAPE2.0', 13, 'latin1'),
  }
}

function webp(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30 || ascii(bytes, 0, 4) !== 'RIFF' || ascii(bytes, 8, 12) !== 'WEBP') return undefined
  const contentType = 'image/webp'
  switch (ascii(bytes, 12, 16)) {
    case 'VP8X':
      return {
        contentType,
        width: bytes.readUIntLE(24, 3) + 1,
        height: bytes.readUIntLE(27, 3) + 1,
        isAnimated: (bytes.readUInt8(20) & 2) !== 0,
      }
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21)
      return {
        contentType,
        width: (packed & 0x3fff) + 1,
        height: ((packed >>> 14) & 0x3fff) + 1,
        isAnimated: false,
      }
    }
    case 'VP8 ':
      return {
        contentType,
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
        isAnimated: false,
      }
    default:
      return undefined
  }
}

/** Markers that start a frame; other markers of that range mean something else. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

function jpeg(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let isTurned = false
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes.readUInt8(at) !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (isFrame(marker)) {
      const height = bytes.readUInt16BE(at + 5)
      const width = bytes.readUInt16BE(at + 7)
      return {
        contentType: 'image/jpeg',
        ...(isTurned ? { width: height, height: width } : { width, height }),
        isAnimated: false,
      }
    }
    const length = bytes.readUInt16BE(at + 2)
    if (marker === 0xe1) isTurned ||= exifTurns(bytes.subarray(at + 4, at + 2 + length))
    at += 2 + Math.max(2, length)
  }
  return undefined
}

/** Whether the camera was held upright; then width and height are swapped for display. */
function exifTurns(segment: Buffer): boolean {
  if (segment.length < 20 || ascii(segment, 0, 6) !== 'Exif\0\0') return false
  const tiff = segment.subarray(6)
  const isLittle = ascii(tiff, 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (start + 2 > tiff.length) return false
  for (let entry = 0, count = short(start); entry < count; entry++) {
    const at = start + 2 + entry * 12
    if (at + 12 > tiff.length) return false
    if (short(at) === 0x0112) return short(at + 8) >= 5 && short(at + 8) <= 8
  }
  return false
}

function avif(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 32 || !/^ftypavi[fs]$/.test(ascii(bytes, 4, 12))) return undefined
  const at = bytes.subarray(0, 64 * 1024).indexOf('ispe', 0, 'latin1')
  if (at === -1 || at + 16 > bytes.length) return undefined
  return {
    contentType: 'image/avif',
    width: bytes.readUInt32BE(at + 8),
    height: bytes.readUInt32BE(at + 12),
    isAnimated: ascii(bytes, 8, 12) === 'avis',
  }
}
