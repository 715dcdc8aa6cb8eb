import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { createGzip } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { exportContent, type ExportKind } from './content.ts'
import { tarOf } from './tar.ts'

// Makes one archive, in a thread beside the one that answers requests, and ends.

/** An archive to make; it appears at `target` complete or not at all. */
export interface ExportJob {
  readonly database: string
  readonly filesDirectory: string
  readonly target: string
  readonly kind: ExportKind
}

async function make({ database, filesDirectory, target, kind }: ExportJob): Promise<void> {
  const unfinished = `${target}.part`
  await mkdir(dirname(target), { recursive: true })
  const db = new Sqlite(database, { readonly: true, fileMustExist: true })
  try {
    // Everything is read from one snapshot, whatever is written meanwhile.
    db.exec('BEGIN')
    const entries = exportContent(db, filesDirectory, kind)
    const bytes = Readable.from(tarOf(entries, Math.floor(Date.now() / 1000)))
    await pipeline(bytes, createGzip(), createWriteStream(unfinished))
    const file = await open(unfinished, 'r')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, target)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  } finally {
    db.close()
  }
}

// The thread is started with its job. A failure ends the thread with its reason.
await make(workerData as ExportJob)
parentPort?.postMessage('made')
