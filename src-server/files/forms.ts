import { badRequest } from '../service-error.ts'

/** A file of a form, entirely in memory. */
export interface FormFile {
  /** The name on the person's machine. */
  readonly name: string
  /** As the client claims; not trusted. */
  readonly contentType: string
  readonly bytes: Buffer
}

/** The content of a request's body. */
export interface Form {
  readonly fields: readonly (readonly [name: string, text: string])[]
  readonly files: readonly FormFile[]
}

/** The fields of an urlencoded body. */
export const urlencodedForm = (body: string): Form => ({ fields: [...new URLSearchParams(body)], files: [] })

/** Parses a multipart body. Throws BAD_REQUEST if it is malformed. */
export async function multipartForm(body: Buffer, contentType: string): Promise<Form> {
  const fields: [string, string][] = []
  const files: FormFile[] = []
  if (isEmpty(body)) return { fields, files }
  try {
    const parts = await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    }).formData()
    for (const [field, value] of parts) {
      if (typeof value === 'string') fields.push([field, value])
      else
        files.push({
          name: value.name,
          contentType: value.type,
          bytes: Buffer.from(await value.arrayBuffer()),
        })
    }
  } catch {
    throw badRequest('The form could not be read.')
  }
  return { fields, files }
}

/**
 * Whether a form has no parts: some clients send such a form if they have nothing to send, with or without its end.
 */
const isEmpty = (body: Buffer): boolean =>
  body.length < 100 && /^(?:--[^\r\n]+--)?\s*$/.test(body.toString('latin1'))
