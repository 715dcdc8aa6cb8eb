import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, statfsSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own with as much room as a test leaves, which the system itself refuses to overfill. */
export interface SmallDisk {
  readonly directory: string
  /** Leaves room for so many pages of 4 KiB and not one more. */
  leave(pages: number): void
  /** Gives back all the room there was. */
  empty(): void
  remove(): void
}

const usualKib = 16 * 1024
const pageBytes = 4_096

/** Whether this system lets the tests mount a disk; where it does not, they cannot be run. */
export const canMount = ((): boolean => {
  try {
    openSmallDisk().remove()
    return true
  } catch {
    return false
  }
})()

/** Mounts one, of 16 MiB unless said. Throws where the system does not allow it. */
export function openSmallDisk(sizeKib = usualKib): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), 'dunlin-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKib}k,mode=700`, 'tmpfs', directory], {
      stdio: 'ignore',
    })
  } catch (error) {
    rmSync(directory, { recursive: true, force: true })
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
      // Whatever still has a file open there keeps it until it is closed.
      execFileSync('umount', ['-l', directory])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Whoever else writes there may have taken some of it meanwhile: then it is full a little sooner. */
function fillUp(ballast: string, bytes: number): void {
  try {
    appendFileSync(ballast, Buffer.alloc(bytes))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
