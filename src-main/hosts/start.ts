import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { failureOf } from '../../src-shared/failure.ts'

const usage = `Usage: npm start -- [flags]
  --demo            open the demo workspace, signed in (--demo=quiet: nobody else writes)
  --data-dir DIR    where accounts, drafts and messages are kept
  --port N          port of the web host (default: any free one)
  --host web        the web host, also where Electron could run
  --no-open         print the address instead of opening a browser`

const root = resolve(import.meta.dirname, '../..')

interface Flags {
  readonly dataDirectory: string
  readonly port: number
  readonly demo: 'no' | 'lively' | 'quiet'
  readonly opensBrowser: boolean
  readonly host: 'web' | 'electron' | null
}

function readFlags(): Flags | null {
  // parseArgs knows flags with or without a value, not both in one.
  const args = process.argv.slice(2).map((arg) => (arg === '--demo' ? '--demo=lively' : arg))
  try {
    const { values } = parseArgs({
      args,
      options: {
        'data-dir': { type: 'string' },
        port: { type: 'string', default: '0' },
        demo: { type: 'string', default: 'no' },
        host: { type: 'string' },
        'no-open': { type: 'boolean', default: false },
      },
    })
    const port = Number(values.port)
    const { demo, host } = values
    if (!Number.isInteger(port) || port < 0 || port > 65_535) return null
    if (demo !== 'no' && demo !== 'lively' && demo !== 'quiet') return null
    if (host !== undefined && host !== 'web' && host !== 'electron') return null
    return {
      dataDirectory: resolve(values['data-dir'] ?? usualDataDirectory(demo !== 'no')),
      port,
      demo,
      host: host ?? null,
      opensBrowser: !values['no-open'],
    }
  } catch {
    return null
  }
}

/** Where programs of this system keep their data; the demo has a place of its own. */
function usualDataDirectory(isDemo: boolean): string {
  const name = isDemo ? 'dunlin-demo' : 'dunlin'
  if (process.platform === 'win32') return join(process.env['APPDATA'] ?? homedir(), name)
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support', name)
  return join(process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local/share'), name)
}

/** The newest change among the sources, epoch milliseconds. */
function newestChange(directory: string): number {
  return Math.max(
    0,
    ...readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  )
}

function buildIfStale(): void {
  const stamp = join(root, 'out/renderer.built')
  const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0
  const isStale = ['src-renderer', 'src-shared'].some((folder) => newestChange(join(root, folder)) > builtAt)
  if (!isStale && existsSync(join(root, 'out/renderer/index.html'))) return
  process.stderr.write('Building the window…\n')
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      '--config',
      join(root, 'src-renderer/vite.config.ts'),
      '--logLevel',
      'warn',
    ],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  )
  if (status !== 0) {
    process.stderr.write('The window could not be built. The lines above say why.\n')
    process.exit(1)
  }
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(stamp, '')
}

const exitCodes: Readonly<Record<string, number>> = {
  'in-use': 3,
  'read-only': 4,
  'disk-full': 4,
  'newer-version': 5,
}

const flags = readFlags()
if (flags === null) {
  process.stderr.write(`${usage}\n`)
  process.exit(2)
}
if (flags.host === 'electron') {
  process.stderr.write('The Electron host is not part of this version yet. The web host is: npm start\n')
  process.exit(2)
}
buildIfStale()
try {
  const { runWebHost } = await import('./web/main.ts')
  await runWebHost({ ...flags, rendererDirectory: join(root, 'out/renderer') })
} catch (error) {
  const failure = failureOf(error)
  process.stderr.write(`${failure.message}\n`)
  if (failure.kind === 'bug' && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`)
  process.exit(failure.kind === 'device' ? (exitCodes[failure.code] ?? 1) : 1)
}
