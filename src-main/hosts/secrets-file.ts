import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { FailureError, failureOf } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { Platform } from '../engine/platform.ts'
import { deviceFailure } from '../store/device-failure.ts'
import { parseJson } from './parse-json.ts'

/** Encrypts secrets with a key of the system's keychain. */
export interface SecretCipher {
  close(secret: string): string
  /** Throws if the text was not sealed, or was sealed by another user or machine. */
  open(sealed: string): string
}

/**
 * Whether it is Base64 of a text that Chromium sealed: that begins with "v10" or "v11" and is longer than any API key.
 */
const looksSealed = (text: string): boolean => /^djE[wx][A-Za-z0-9+/]{36,}={0,2}$/.test(text)

const secretSchema = z.union([
  z.strictObject({ plain: z.string() }),
  z.strictObject({ sealed: z.string() }),
  // Earlier versions stored only the text, without saying whether it is sealed.
  z.string().transform((text) => (looksSealed(text) ? { sealed: text } : { plain: text })),
])
const secretsSchema = z.record(z.string(), secretSchema)
type Secrets = z.output<typeof secretsSchema>

/**
 * Stores secrets in a file that only its owner can read. With a `seal` they are encrypted; without one, only the file's
 * mode protects them. Each value records whether it is sealed, because the keychain may be missing at one start and
 * available at the next.
 *
 * 1. If the file cannot be read or written, the methods reject with a `FailureError` of kind device; it stays
 *    unchanged.
 * 2. A damaged file is renamed and logged; its secrets are lost.
 * 3. If a sealed value cannot be opened, `get` rejects with code no-keychain. It never returns a sealed text.
 */
export function secretsFile(
  path: string,
  seal: SecretCipher | null,
  log: (line: string) => void,
): Platform['secrets'] {
  const deviceError = (error: unknown) => {
    const failure = deviceFailure(error, path)
    const other = { kind: 'device', code: 'disk-error', message: t.failures.device.diskFails(path) } as const
    return new FailureError(failure.kind === 'device' ? failure : other, { cause: error })
  }
  const read = (): Secrets => {
    let text: string
    try {
      text = readFileSync(path, 'utf8')
    } catch (error) {
      if (Reflect.get(Object(error), 'code') === 'ENOENT') return {}
      throw deviceError(error)
    }
    const secrets = secretsSchema.safeParse(parseJson(text))
    if (secrets.success) return secrets.data
    const aside = `${path}.damaged-${Date.now()}`
    try {
      renameSync(path, aside)
    } catch (error) {
      throw deviceError(error)
    }
    log(`keychain: the file of the keys was damaged; it is kept as ${aside}`)
    return {}
  }
  const write = (secrets: Secrets) => {
    try {
      // Written to another file and renamed, because a half-written file would sign out every account.
      writeFileSync(`${path}.new`, JSON.stringify(secrets), { mode: 0o600 })
      renameSync(`${path}.new`, path)
    } catch (error) {
      rmSync(`${path}.new`, { force: true })
      throw deviceError(error)
    }
  }
  const put = (key: string, secret: string) =>
    write({ ...read(), [key]: seal === null ? { plain: secret } : { sealed: seal.close(secret) } })
  /** Seals a value that was stored while there was no keychain. */
  const sealNow = (key: string, secret: string) => {
    try {
      put(key, secret)
    } catch (error) {
      log(`keychain: ${failureOf(error).message}`)
    }
  }
  return {
    async get(key) {
      const kept = read()[key]
      if (kept === undefined) return null
      if ('sealed' in kept) return opened(kept.sealed, seal)
      if (seal !== null) sealNow(key, kept.plain)
      return kept.plain
    },
    set: async (key, value) => put(key, value),
    async delete(key) {
      const { [key]: gone, ...rest } = read()
      if (gone !== undefined) write(rest)
    },
  }
}

function opened(sealed: string, seal: SecretCipher | null): string {
  try {
    if (seal !== null) return seal.open(sealed)
  } catch {
    // The keychain's error is not meant for people; the failure below is.
  }
  throw new FailureError({
    kind: 'device',
    code: 'no-keychain',
    message: t.failures.device.keyCannotBeOpened,
  })
}
