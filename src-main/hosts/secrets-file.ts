import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { FailureError, failureOf } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { Platform } from '../engine/platform.ts'
import { deviceFailure } from '../store/device-failure.ts'

/** Protects a secret on disk with a key of the system's keychain. */
export interface Seal {
  close(secret: string): string
  /** Throws when the text was not sealed, or was sealed by another user or machine. */
  open(sealed: string): string
}

/** Base64 of what Chromium seals, which begins with "v10" or "v11" and is longer than any API key. */
const looksSealed = (text: string): boolean => /^djE[wx][A-Za-z0-9+/]{36,}={0,2}$/.test(text)

const secretSchema = z.union([
  z.strictObject({ plain: z.string() }),
  z.strictObject({ sealed: z.string() }),
  // Earlier versions kept a text alone, which does not say whether it is sealed.
  z.string().transform((text) => (looksSealed(text) ? { sealed: text } : { plain: text })),
])
const secretsSchema = z.record(z.string(), secretSchema)
type Secrets = z.output<typeof secretsSchema>

/**
 * Secrets in a file that only its owner may read. They are sealed where there is a `seal`; without one, only the
 * file's mode protects them. Each value says whether it is sealed, because a keychain can be absent at one start and
 * present at the next.
 *
 * 1. A file that cannot be read or written rejects with a `FailureError` of kind device, and stays as it is.
 * 2. A damaged file is kept under another name, and the log says so; its secrets are gone.
 * 3. A sealed value that cannot be opened rejects with code no-keychain; it is never given out sealed.
 */
export function secretsFile(
  path: string,
  seal: Seal | null,
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
      // Whole or not at all: a half-written file would sign everybody out.
      writeFileSync(`${path}.new`, JSON.stringify(secrets), { mode: 0o600 })
      renameSync(`${path}.new`, path)
    } catch (error) {
      rmSync(`${path}.new`, { force: true })
      throw deviceError(error)
    }
  }
  const put = (key: string, secret: string) =>
    write({ ...read(), [key]: seal === null ? { plain: secret } : { sealed: seal.close(secret) } })
  /** A value from a start without a keychain. */
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

function opened(sealed: string, seal: Seal | null): string {
  try {
    if (seal !== null) return seal.open(sealed)
  } catch {
    // The reason is the keychain's own, in its own words.
  }
  throw new FailureError({
    kind: 'device',
    code: 'no-keychain',
    message: t.failures.device.keyCannotBeOpened,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
