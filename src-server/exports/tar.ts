/** A file of an archive. */
export interface TarEntry {
  /** ASCII, 100 characters at most. */
  readonly name: string
  /** In bytes; exactly as many as `content` yields. */
  readonly size: number
  readonly content: Iterable<Buffer> | AsyncIterable<Buffer>
}

const blockSize = 512
/** Eleven octal digits. */
const largestSize = 8 ** 11 - 1

function headerOf({ name, size }: TarEntry, modifiedSeconds: number): Buffer {
  if (!/^[ -~]{1,100}$/.test(name)) throw new Error(`an archive cannot hold a file of this name: ${name}`)
  if (size > largestSize) throw new Error(`an archive cannot hold a file of ${size} bytes`)
  const header = Buffer.alloc(blockSize)
  const octal = (value: number, digits: number, at: number) =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1')
  header.write(name, 0, 'latin1')
  octal(0o644, 7, 100)
  octal(0, 7, 108)
  octal(0, 7, 116)
  octal(size, 11, 124)
  octal(modifiedSeconds, 11, 136)
  header.write(' '.repeat(8), 148, 'latin1')
  header.write('0', 156, 'latin1')
  header.write('ustar\0' + '00', 257, 'latin1')
  // The checksum is computed with spaces in its own field.
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    6,
    148,
  )
  return header
}

/** The bytes of a POSIX ustar archive of these files. Throws if a file's size differs from what it declares. */
export async function* tarOf(
  entries: Iterable<TarEntry> | AsyncIterable<TarEntry>,
  modifiedSeconds: number,
): AsyncGenerator<Buffer> {
  for await (const entry of entries) {
    yield headerOf(entry, modifiedSeconds)
    let written = 0
    for await (const bytes of entry.content) {
      written += bytes.length
      yield bytes
    }
    if (written !== entry.size) throw new Error(`${entry.name} has ${written} bytes, not ${entry.size}`)
    yield Buffer.alloc((blockSize - (written % blockSize)) % blockSize)
  }
  // Two empty blocks end it.
  yield Buffer.alloc(2 * blockSize)
}
