import { longestWhole } from '../src-shared/byte-range.ts'

/**
 * Fetches a file of any size: a long one part by part, because the host has only parts of it. `ask` requests the file,
 * or a part of it. Returns the status of an answer without the file.
 */
export async function wholeFile(ask: (range: string | null) => Promise<Response>): Promise<Blob | number> {
  const first = await ask('bytes=0-0')
  const size = sizeIn(first)
  // An empty file has no first byte.
  if (first.status === 416 || (first.status === 206 && size <= longestWhole)) return fileIn(await ask(null))
  if (first.status !== 206) return fileIn(first)
  const parts: Blob[] = []
  for (let from = 0; from < size;) {
    const answer = await ask(`bytes=${from}-`)
    if (answer.status !== 206) return fileIn(answer)
    const part = await answer.blob()
    parts.push(part)
    from += part.size
  }
  return new Blob(parts)
}

const fileIn = (answer: Response): Promise<Blob> | number => (answer.ok ? answer.blob() : answer.status)

/** The size of the whole file in bytes; infinite if the answer does not say. */
const sizeIn = (answer: Response): number =>
  Number(/\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? Number.POSITIVE_INFINITY)
