import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const sourceFolders = ['src-renderer', 'src-shared', 'src-main', 'src-server']

/** Builds window, preload and main process into out/ when a source is newer than what is there. False: it failed. */
export function buildIfStale(root: string): boolean {
  const stamp = join(root, 'out/built')
  const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0
  if (sourceFolders.every((folder) => newestChange(join(root, folder)) <= builtAt)) return true
  process.stderr.write('Building the app…\n')
  const builder = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const { status } = spawnSync(process.execPath, [builder, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) return false
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(stamp, '')
  return true
}

/** The newest change in a folder, epoch milliseconds. */
function newestChange(directory: string): number {
  return Math.max(
    0,
    ...readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  )
}
