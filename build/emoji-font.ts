import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { decompress } from 'woff2-encoder'

// Twemoji joins "shrug", "joiner", "male", "show as a picture" into one drawing only when the last is among what is
// to be joined. Chromium takes that sign for itself while it looks for the font, so it never is, and two drawings
// stand side by side. Here the joins lose the sign, and all of them work.

/** The sign that asks for a picture instead of a letter: variation selector 16. */
const pictureSign = 0xfe0f

/** Vite: the font with all its joins in the place of the one in the package. */
export function emojiFont(cacheDirectory: string): Plugin {
  return {
    name: 'emoji-font',
    enforce: 'pre',
    transform: {
      filter: { id: /twemoji\.css$/ },
      async handler(css, id) {
        const font = Buffer.from(await decompress(readFileSync(join(dirname(id), 'twemoji.woff2'))))
        joinWithoutSign(font)
        mkdirSync(cacheDirectory, { recursive: true })
        // Read from the disk by the app itself: unpacking it at every start would take longer than reading it.
        const path = join(cacheDirectory, 'twemoji.ttf')
        writeFileSync(path, font)
        return css.replace(/url\("twemoji\.woff2"\) format\("woff2"\)/, `url("${path}") format("truetype")`)
      },
    },
  }
}

/**
 * Takes the sign out of every ligature of a TrueType font, in place. Throws when there is no such ligature: then the
 * font has changed, and this is not needed any more or does not do what it is here for.
 */
function joinWithoutSign(font: Buffer): void {
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
}

function tableAt(font: Buffer, name: string): number {
  for (let at = 12; at < 12 + 16 * font.readUInt16BE(4); at += 16) {
    if (font.toString('latin1', at, at + 4) === name) return font.readUInt32BE(at + 8)
  }
  throw new Error(`The emoji font has no table ${name}`)
}

/** The glyph of a code point, from the table that covers all of Unicode. */
function glyphOf(font: Buffer, codePoint: number): number {
  const map = tableAt(font, 'cmap')
  for (let index = 0; index < font.readUInt16BE(map + 2); index++) {
    const table = map + font.readUInt32BE(map + 8 + 8 * index)
    if (font.readUInt16BE(table) !== 12) continue
    for (let at = table + 16; at < table + 16 + 12 * font.readUInt32BE(table + 12); at += 12) {
      const first = font.readUInt32BE(at)
      if (first <= codePoint && codePoint <= font.readUInt32BE(at + 4)) {
        return font.readUInt32BE(at + 8) + codePoint - first
      }
    }
  }
  throw new Error(`The emoji font does not know ${codePoint.toString(16)}`)
}
