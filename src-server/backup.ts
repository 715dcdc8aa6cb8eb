import { constants } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** A backup that could not be made; the message is for the operator. */
export class BackupError extends Error {}

/**
 * Copies a data directory to a folder that must not exist yet, even while a service runs in it. The copy appears
 * complete or not at all. A service started on the copy continues from the moment of the copy. Returns the number of
 * files besides the database. Throws a `BackupError`.
 */
export async function backUp(dataDir: string, target: string): Promise<number> {
  const database = join(dataDir, 'workspace.db')
  if (!(await exists(database))) throw new BackupError(`There is no workspace in ${dataDir}.`)
  if (await exists(target)) throw new BackupError(`${target} is there already; nothing was written.`)
  const unfinished = join(dirname(target), `.${basename(target)}.part-${process.pid}`)
  // Private to its owner, like the original.
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  await mkdir(join(unfinished, 'files'))
  // Files never change. The first pass copies files that are deleted meanwhile, the second pass files that were
  // added.
  await copyFiles(join(dataDir, 'files'), join(unfinished, 'files'))
  copyDatabase(database, join(unfinished, 'workspace.db'))
  await copyFiles(join(dataDir, 'files'), join(unfinished, 'files'))
  const count = await syncAll(unfinished)
  await rename(unfinished, target)
  await sync(dirname(target))
  return count - 1
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Copies the database as of one moment, whatever is written meanwhile, and checks the copy. */
function copyDatabase(from: string, to: string): void {
  const source = new Sqlite(from, { readonly: true })
  try {
    source.prepare('VACUUM INTO ?').run(to)
  } finally {
    source.close()
  }
  const copy = new Sqlite(to, { readonly: true })
  try {
    const found = copy.pragma('integrity_check', { simple: true })
    if (found !== 'ok') throw new BackupError(`The copy of the database is damaged: ${String(found)}`)
  } finally {
    copy.close()
  }
}

async function copyFiles(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      await mkdir(target, { recursive: true })
      await copyFiles(source, target)
    } else if (!entry.name.endsWith('.part'))
      await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE).catch(
        (error: NodeJS.ErrnoException) => {
          // It was copied in the first pass, or its owner has just deleted it.
          if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error
        },
      )
  }
}

/** Forces a folder to disk, so that it survives a power cut; returns how many files it contains. */
async function syncAll(folder: string): Promise<number> {
  let count = 0
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) count += await syncAll(path)
    else {
      await sync(path)
      count += 1
    }
  }
  await sync(folder)
  return count
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } catch (error) {
    // Some systems cannot sync folders, and need not.
    if (
      !(
        error instanceof Error &&
        'code' in error &&
        ['EPERM', 'EISDIR', 'EINVAL'].includes(String(error.code))
      )
    )
      throw error
  } finally {
    await file.close()
  }
}
