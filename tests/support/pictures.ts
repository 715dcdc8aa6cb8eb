import { createRequire } from 'node:module'
import { crc32, deflateSync } from 'node:zlib'

/** The part of the library that the tests use to draw and inspect; on some platforms its build may be missing. */
interface Picture {
  png(): Picture
  jpeg(): Picture
  gif(options: { loop: number; delay: number[] }): Picture
  withMetadata(options: { orientation: number }): Picture
  withExif(exif: Readonly<Record<string, Readonly<Record<string, string>>>>): Picture
  composite(parts: readonly { input: Buffer; left: number; top: number }[]): Picture
  extract(part: { left: number; top: number; width: number; height: number }): Picture
  raw(): Picture
  metadata(): Promise<{ width: number; height: number; pages?: number; exif?: Buffer; orientation?: number }>
  toBuffer(): Promise<Buffer>
}
const read = createRequire(import.meta.url)
const sharp = (source: Buffer | object, options?: Readonly<Record<string, unknown>>): Picture =>
  // Only this much of it is used.
  (read('sharp') as (...input: readonly unknown[]) => Picture)(source, options)

const red = { r: 220, g: 30, b: 40 }
const blue = { r: 30, g: 60, b: 200 }
const plain = (width: number, height: number, background: object) =>
  sharp({ create: { width, height, channels: 3, background } })

/** A picture whose left half is red and whose right half is blue. */
const halves = async (width: number, height: number): Promise<Picture> =>
  plain(width, height, blue).composite([
    {
      input: await plain(width / 2, height, red)
        .png()
        .toBuffer(),
      left: 0,
      top: 0,
    },
  ])

export const drawn = {
  png: async (width: number, height: number): Promise<Buffer> =>
    (await halves(width, height)).png().toBuffer(),
  /** A picture from a camera held upright: stored sideways with an orientation tag, and with the location. */
  upright: async (width: number, height: number): Promise<Buffer> =>
    (await halves(width, height))
      .jpeg()
      .withExif({ IFD0: { ImageDescription: 'secret place', Orientation: '6' } })
      .withMetadata({ orientation: 6 })
      .toBuffer(),
  /** Three frames of an animation. */
  async film(width: number, height: number): Promise<Buffer> {
    const frames = await Promise.all(
      [red, blue, red].map((background) => plain(width, height, background).raw().toBuffer()),
    )
    const raw = { width, height: height * frames.length, channels: 3, pageHeight: height }
    return sharp(Buffer.concat(frames), { raw })
      .gif({ loop: 0, delay: [100, 100, 100] })
      .toBuffer()
  },
}

/** The visible content of a picture. */
export async function looked(bytes: Buffer) {
  const { width, height, pages = 1, exif, orientation } = await sharp(bytes).metadata()
  const [r = 0, , b = 0] = await sharp(bytes)
    .extract({ left: 2, top: 2, width: 1, height: 1 })
    .raw()
    .toBuffer()
  return { width, height, frames: pages, notes: exif ?? orientation ?? null, corner: r > b ? 'red' : 'blue' }
}

/** A few hundred bytes that claim to be a picture of that many pixels; decompressed, all of the pixels are there. */
export function bomb(width: number, height: number): Buffer {
  const chunk = (kind: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // One bit per pixel, grey.
  head.writeUInt8(1, 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc((width / 8 + 1) * height), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
