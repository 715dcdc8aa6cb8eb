import type { Answer, Person } from './organization.ts'
import type { TestService } from './service.ts'

/** A transparent picture of 3 × 2 pixels. */
export const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000030000000208060000009d74661a', 'hex'),
  Buffer.from('0000000049454e44ae426082', 'hex'),
])

/** The head of a picture of 1 × 1 pixel. */
export const gif = Buffer.from('47494638396101000100800000', 'hex')

/** Name, bytes, and the type that the client claims. */
export type TestFile = readonly [name: string, bytes: Buffer | string, type?: string | undefined]

/** A multipart form with files in it. */
export function formWith(...files: readonly TestFile[]): FormData {
  const form = new FormData()
  for (const [name, bytes, type] of files) {
    const part = typeof bytes === 'string' ? bytes : new Uint8Array(bytes)
    form.append('file', new Blob([part], { type: type ?? 'text/plain' }), name)
  }
  return form
}

export const authorization = (who: Person): string => `Basic ${btoa(`${who.email}:${who.row.api_key}`)}`

/** Posts files to an endpoint, without any of the client's code. */
export async function sendFile(
  service: TestService,
  who: Person | null,
  path: string,
  ...files: readonly TestFile[]
): Promise<Answer> {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    body: formWith(...files),
    headers: who === null ? {} : { authorization: authorization(who) },
  })
  return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers }
}
