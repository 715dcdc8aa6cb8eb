import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const sourceFolders = ['src-renderer', 'src-shared', 'src-main', 'src-server']

/**
 * Builds window, preload and main process into out/ if a source is newer than the build. Returns false if that fails.
 */
export function buildIfStale(root: string): boolean {
  // The window is built last, so its file dates a complete build.
  const lastBuilt = join(root, 'out/renderer/index.html')
  const builtAt = existsSync(lastBuilt) ? statSync(lastBuilt).mtimeMs : 0
  if (sourceFolders.every((folder) => newestChange(join(root, folder)) <= builtAt)) return true
  process.stderr.write('Building the app…\n')
  const builder = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const { status } = spawnSync(process.execPath, [builder, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  return status === 0
}

/** When a file in a folder was last changed, epoch milliseconds. */
function newestChange(directory: string): number {
  return Math.max(
    0,
    ...readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  )
}
