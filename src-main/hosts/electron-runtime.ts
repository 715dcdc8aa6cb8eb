import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fetchMs = 180_000
/** A download that failed is not tried at every start. */
const retryMs = 24 * 60 * 60 * 1000

/** The program that runs Electron apps: the one that is installed, or fetched now; null when there is none. */
export function electronProgram(root: string): string | null {
  const installed = installedProgram(root)
  if (installed !== null) return installed
  const failedAt = join(root, 'out/electron-not-fetched')
  if (existsSync(failedAt) && Date.now() - statSync(failedAt).mtimeMs < retryMs) return null
  process.stderr.write('Fetching the Electron runtime (once)…\n')
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/electron/install.js')], {
    cwd: root,
    stdio: 'ignore',
    timeout: fetchMs,
  })
  const fetched = status === 0 ? installedProgram(root) : null
  if (fetched === null) {
    mkdirSync(join(root, 'out'), { recursive: true })
    writeFileSync(failedAt, '')
  }
  return fetched
}

/** Where the npm package electron keeps its runtime, or where its environment variable says that one is. */
export function installedProgram(root: string): string | null {
  const folder = join(root, 'node_modules/electron')
  const nameFile = join(folder, 'path.txt')
  const name = existsSync(nameFile) ? readFileSync(nameFile, 'utf8').trim() : 'electron'
  const program = join(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist'), name)
  return existsSync(program) ? program : null
}
