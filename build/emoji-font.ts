import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { decompress } from 'woff2-encoder'

// The fonts of the emoji sets, as a window needs them. Twemoji joins "shrug", "joiner", "male", "show as a picture" into
// one drawing only when the last is among what is to be joined. Chromium takes that sign for itself while it looks for
// the font, so it never is, and two drawings stand side by side. Here the joins lose the sign, and all of them work.
// Noto has every drawing twice, and Chromium draws only one kind: the other, three quarters of the file, is left out.

/** The sign that asks for a picture instead of a letter: variation selector 16. */
const pictureSign = 0xfe0f

/** Vite: the fonts as they are needed, in the place of those in the packages. */
export function emojiFonts(cacheDirectory: string): Plugin {
  /**
   * Read from the disk by the app itself: unpacking it at every start would take longer than reading it. Its signs are
   * named, or Chromium would read all of it to find out that a sign that no other font has is not there either.
   */
  async function unpacked(from: string, name: string, change: (font: Buffer) => Buffer): Promise<string> {
    mkdirSync(cacheDirectory, { recursive: true })
    const path = join(cacheDirectory, name)
    const font = change(Buffer.from(await decompress(readFileSync(from))))
    writeFileSync(path, font)
    return `url("${path}") format("truetype");\n  unicode-range: ${signsOf(font)}`
  }
  return {
    name: 'emoji-fonts',
    enforce: 'pre',
    transform: {
      filter: { id: /(twemoji|noto-color-emoji\/emoji)\.css$/ },
      async handler(css, id) {
        const packed = /url\("?([^")]+\.woff2)"?\) format\(["']woff2["']\)(, url\([^)]*\) format\('woff'\))?/
        const found = packed.exec(css)
        if (found?.[1] === undefined) throw new Error(`${id} names no font`)
        const from = join(dirname(id), found[1])
        const source = id.endsWith('twemoji.css')
          ? await unpacked(from, 'twemoji.ttf', joinWithoutSign)
          : await unpacked(from, 'noto-color-emoji.ttf', (font) => withoutTable(font, 'SVG '))
        // Noto's drawings are a quarter wider than their size says; the layout is made for a square of it.
        return css
          .replace(packed, () => source)
          .replace('font-display: swap', 'font-display: block;\n  size-adjust: 80.3%')
      },
    },
  }
}

/** A TrueType font without one of its tables. Throws when it has none: then this is not needed any more. */
function withoutTable(font: Buffer, name: string): Buffer {
  tableAt(font, name)
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + 16 * index)
    .map((at) => Buffer.from(font.subarray(at, at + 16)))
    .filter((entry) => entry.toString('latin1', 0, 4) !== name)
  const head = Buffer.from(font.subarray(0, 12))
  head.writeUInt16BE(entries.length, 4)
  // A hint for a search by halves: the greatest power of two that is not above the number of tables.
  const halvings = Math.floor(Math.log2(entries.length))
  head.writeUInt16BE(16 * 2 ** halvings, 6)
  head.writeUInt16BE(halvings, 8)
  head.writeUInt16BE(16 * (entries.length - 2 ** halvings), 10)
  let at = head.length + 16 * entries.length
  const tables = entries.map((entry) => {
    const [from, length] = [entry.readUInt32BE(8), entry.readUInt32BE(12)]
    entry.writeUInt32BE(at, 8)
    const table = Buffer.alloc(Math.ceil(length / 4) * 4)
    font.copy(table, 0, from, from + length)
    at += table.length
    return table
  })
  return Buffer.concat([head, ...entries, ...tables])
}

/**
 * Takes the sign out of every ligature of a TrueType font, in place, and gives the font back. Throws when there is no
 * such ligature: then the font has changed, and this is not needed any more or does not do what it is here for.
 */
function joinWithoutSign(font: Buffer): Buffer {
  const u16 = (at: number) => font.readUInt16BE(at)
  const sign = glyphOf(font, pictureSign)
  /** Where each of a list of offsets leads; the list is at `at`, after its length. */
  const places = (base: number, at: number) =>
    Array.from({ length: u16(at) }, (_, index) => base + u16(at + 2 + 2 * index))
  const substitutions = tableAt(font, 'GSUB')
  const lookups = substitutions + u16(substitutions + 8)
  const ligatures = places(lookups, lookups)
    .filter((lookup) => u16(lookup) === 4)
    .flatMap((lookup) => places(lookup, lookup + 4))
    .flatMap((table) => places(table, table + 4))
    .flatMap((set) => places(set, set))
  let changed = 0
  for (const ligature of ligatures) {
    // The first is where the ligature is found, so it is not in this list.
    const glyphs = Array.from({ length: u16(ligature + 2) - 1 }, (_, index) => u16(ligature + 4 + 2 * index))
    const kept = glyphs.filter((glyph) => glyph !== sign)
    if (kept.length === glyphs.length) continue
    font.writeUInt16BE(kept.length + 1, ligature + 2)
    kept.forEach((glyph, index) => font.writeUInt16BE(glyph, ligature + 4 + 2 * index))
    changed++
  }
  if (changed === 0) throw new Error('The emoji font has no joins with variation selector 16')
  return font
}

function tableAt(font: Buffer, name: string): number {
  for (let at = 12; at < 12 + 16 * font.readUInt16BE(4); at += 16) {
    if (font.toString('latin1', at, at + 4) === name) return font.readUInt32BE(at + 8)
  }
  throw new Error(`The emoji font has no table ${name}`)
}

/** The code points that a font draws, as a style sheet names them. */
function signsOf(font: Buffer): string {
  const joined: { first: number; last: number }[] = []
  for (const { first, last } of glyphRanges(font)) {
    const before = joined.at(-1)
    if (before !== undefined && before.last + 1 === first) before.last = last
    else joined.push({ first, last })
  }
  return joined.map(({ first, last }) => `U+${first.toString(16)}-${last.toString(16)}`).join(', ')
}

/** The glyph of a code point. */
function glyphOf(font: Buffer, codePoint: number): number {
  const range = glyphRanges(font).find(({ first, last }) => first <= codePoint && codePoint <= last)
  if (range === undefined) throw new Error(`The emoji font does not know ${codePoint.toString(16)}`)
  return range.glyph + codePoint - range.first
}

/** The code points that the font draws and the glyph of each range's first, from the table that covers all of Unicode. */
function glyphRanges(
  font: Buffer,
): { readonly first: number; readonly last: number; readonly glyph: number }[] {
  const map = tableAt(font, 'cmap')
  const table = Array.from(
    { length: font.readUInt16BE(map + 2) },
    (_, index) => map + font.readUInt32BE(map + 8 + 8 * index),
  ).find((at) => font.readUInt16BE(at) === 12)
  if (table === undefined) throw new Error('The emoji font has no table of all its signs')
  return Array.from({ length: font.readUInt32BE(table + 12) }, (_, index) => {
    const at = table + 16 + 12 * index
    return {
      first: font.readUInt32BE(at),
      last: font.readUInt32BE(at + 4),
      glyph: font.readUInt32BE(at + 8),
    }
  })
}
