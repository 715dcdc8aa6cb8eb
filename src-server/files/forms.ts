import { badRequest } from '../service-error.ts'

/** A file of a form, whole in memory. */
export interface FormFile {
  /** As the person's machine calls it. */
  readonly name: string
  /** As the client says; not to be trusted. */
  readonly contentType: string
  readonly bytes: Buffer
}

/** What a request's body says. */
export interface Form {
  readonly fields: readonly (readonly [name: string, text: string])[]
  readonly files: readonly FormFile[]
}

/** The fields of an urlencoded body. */
export const urlencodedForm = (body: string): Form => ({ fields: [...new URLSearchParams(body)], files: [] })

/** Reads a multipart body. Throws BAD_REQUEST when it is broken. */
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

/** Whether a form has no part: some clients send such a one where there is nothing to say, with or without its end. */
const isEmpty = (body: Buffer): boolean =>
  body.length < 100 && /^(?:--[^\r\n]+--)?\s*$/.test(body.toString('latin1'))
