import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { FailureError } from '../../src-shared/failure.ts'
import type { Platform } from '../engine/platform.ts'
import { deviceFailure } from '../store/device-failure.ts'

/** How a host protects a secret on disk. */
export interface Seal {
  close(secret: string): string
  /** Throws when the text was sealed by another user or machine. */
  open(sealed: string): string
}

/** No protection of its own; the file's mode keeps other users out. */
export const noSeal: Seal = { close: (secret) => secret, open: (sealed) => sealed }

/**
 * Secrets in a file that only its owner may read, each under the host's seal. A change that the disk refuses rejects
 * with a `FailureError` of kind device; the file is as it was.
 */
export function secretsFile(path: string, seal: Seal): Platform['secrets'] {
  const read = (): Record<string, string> => {
    try {
      // Only `write` writes this file.
      return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
    } catch {
      return {}
    }
  }
  const write = (secrets: Record<string, string>) => {
    try {
      // Whole or not at all: a half-written file would sign everybody out.
      writeFileSync(`${path}.new`, JSON.stringify(secrets), { mode: 0o600 })
      renameSync(`${path}.new`, path)
    } catch (error) {
      rmSync(`${path}.new`, { force: true })
      throw new FailureError(deviceFailure(error, path), { cause: error })
    }
  }
  return {
    get: async (key) => {
      const sealed = read()[key]
      return sealed === undefined ? null : seal.open(sealed)
    },
    set: async (key, value) => write({ ...read(), [key]: seal.close(value) }),
    delete: async (key) => {
      const { [key]: gone, ...rest } = read()
      if (gone !== undefined) write(rest)
    },
  }
}
