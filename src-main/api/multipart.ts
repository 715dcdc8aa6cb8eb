import { randomUUID } from 'node:crypto'

/** A file to upload with a call. */
export interface SentFile {
  readonly name: string
  readonly mediaType: string
  /** The number of bytes that `read` yields. */
  readonly size: number
  /** Yields the bytes in parts; starts anew at each call. If it throws a `FailureError`, the call rejects with that. */
  read(): AsyncIterable<Uint8Array>
  /** Called with the number of bytes sent so far. */
  onSent(bytes: number): void
}

/** Builds a form with a file (RFC 7578). The file is streamed, so that it is never in memory as a whole. */
export function multipartOf(fields: readonly (readonly [string, string])[], file: SentFile) {
  const boundary = `----${randomUUID()}`
  const quoted = (text: string) => text.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign))
  const head = Buffer.from(
    `${fields
      .map(
        ([name, text]) =>
          `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${text}\r\n`,
      )
      .join(
        '',
      )}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quoted(file.name)}"\r\ncontent-type: ${
      /^[\w.+-]+\/[\w.+-]+$/.test(file.mediaType) ? file.mediaType : 'application/octet-stream'
    }\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.size + tail.length),
    },
    async *stream() {
      yield head
      let sent = 0
      for await (const bytes of file.read()) {
        yield bytes
        sent += bytes.length
        file.onSent(sent)
      }
      yield tail
    },
  }
}
