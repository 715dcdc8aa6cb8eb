import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'

/**
 * A second copy of the list of accounts, as text: without the list nobody finds the drafts in the accounts' files.
 * It is written whole or not at all.
 */
export interface AccountsCopy {
  /** What was kept last; null if there is none or it is not JSON. Throws if the disk refuses. */
  read(): unknown
  write(content: unknown): void
}

/** The copy in the file at this path. */
export function accountsCopy(path: string): AccountsCopy {
  return {
    read() {
      if (!existsSync(path)) return null
      const text = readFileSync(path, 'utf8')
      try {
        return JSON.parse(text)
      } catch {
        return null
      }
    },
    write(content) {
      const file = openSync(`${path}.new`, 'w', 0o600)
      try {
        // Unlike `writeSync`, it writes all of it or throws.
        writeFileSync(file, JSON.stringify(content))
        fsyncSync(file)
      } catch (error) {
        rmSync(`${path}.new`, { force: true })
        throw error
      } finally {
        closeSync(file)
      }
      renameSync(`${path}.new`, path)
    },
  }
}
