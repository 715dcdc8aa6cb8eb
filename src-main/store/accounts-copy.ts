import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

/**
 * A second copy of the list of accounts, as text: without the list nobody finds the drafts in the accounts' files.
 * It is written whole or not at all.
 */
export interface AccountsCopy {
  /** What was kept last; null when there is nothing that can be read. */
  read(): unknown
  write(content: unknown): void
}

export function accountsCopy(path: string): AccountsCopy {
  return {
    read() {
      try {
        return JSON.parse(readFileSync(path, 'utf8'))
      } catch {
        return null
      }
    },
    write(content) {
      const file = openSync(`${path}.new`, 'w', 0o600)
      try {
        writeSync(file, JSON.stringify(content))
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(`${path}.new`, path)
    },
  }
}
