import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dayMs, minuteMs } from '../../src-shared/durations.ts'

const fetchMs = 3 * minuteMs
/** After a failed download, starts do not retry it for this long, in milliseconds. */
const retryMs = dayMs

/** The path of the Electron runtime. Downloads it if it is not installed; null if that fails. */
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

/**
 * The path of the installed runtime: in `ELECTRON_OVERRIDE_DIST_PATH` or in the npm package electron; null if there is
 * none.
 */
export function installedProgram(root: string): string | null {
  const folder = join(root, 'node_modules/electron')
  const nameFile = join(folder, 'path.txt')
  const name = existsSync(nameFile) ? readFileSync(nameFile, 'utf8').trim() : 'electron'
  const program = join(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist'), name)
  return existsSync(program) ? program : null
}
