import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, statfsSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, removeFolder } from './temporary-folder.ts'

/** A separate disk with as much room as a test leaves; the system itself refuses to overfill it. */
export interface SmallDisk {
  readonly directory: string
  /** Leaves room for exactly that many pages of 4 KiB. */
  leave(pages: number): void
  /** Restores all the room that there was. */
  empty(): void
  remove(): void
}

const usualKib = 16 * 1024
const pageBytes = 4_096

/** Whether this system lets the tests mount a disk; if not, these tests cannot run. */
export const canMount = ((): boolean => {
  try {
    openSmallDisk().remove()
    return true
  } catch {
    return false
  }
})()

/** Mounts one, of 16 MiB by default. Throws if the system does not allow it. */
export function openSmallDisk(sizeKib = usualKib): SmallDisk {
  const directory = makeFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKib}k,mode=700`, 'tmpfs', directory], {
      stdio: 'ignore',
    })
  } catch (error) {
    removeFolder(directory)
    throw error
  }
  const ballast = join(directory, 'ballast')
  return {
    directory,
    leave(pages) {
      const { bavail, bsize } = statfsSync(directory)
      const tooMuch = bavail * bsize - pages * pageBytes
      if (tooMuch > 0) fillUp(ballast, tooMuch)
      else truncateSync(ballast, statSync(ballast).size + tooMuch)
    },
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      // A process that still has a file open there keeps it until it closes the file.
      execFileSync('umount', ['-l', directory])
      removeFolder(directory)
    },
  }
}

/** Other writers may have taken some room meanwhile: then the disk is full slightly sooner. */
function fillUp(ballast: string, bytes: number): void {
  try {
    appendFileSync(ballast, Buffer.alloc(bytes))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
