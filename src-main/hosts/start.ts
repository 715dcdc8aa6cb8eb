import { spawnSync } from 'node:child_process'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { failureOf } from '../../src-shared/failure.ts'
import { buildIfStale } from './built-app.ts'
import { electronProgram } from './electron-runtime.ts'
import { readFlags, usage, type Flags } from './flags.ts'
import { hasDisplay } from './web/browser.ts'

const root = resolve(import.meta.dirname, '../..')

const exitCodes: Readonly<Record<string, number>> = {
  'in-use': 3,
  'read-only': 4,
  'disk-full': 4,
  'newer-version': 5,
}

async function startOnWeb(flags: Flags): Promise<void> {
  // Here the app runs from its sources. What one start has compiled is kept for the next, also for the embedded service.
  process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/node')
  enableCompileCache(process.env['NODE_COMPILE_CACHE'])
  try {
    const { runWebHost } = await import('./web/main.ts')
    await runWebHost({ ...flags, rendererDirectory: join(root, 'out/renderer') })
    // By itself it is written when the process ends in order.
    flushCompileCache()
  } catch (error) {
    const failure = failureOf(error)
    process.stderr.write(`${failure.message}\n`)
    if (failure.kind === 'bug' && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`)
    process.exit(failure.kind === 'device' ? (exitCodes[failure.code] ?? 1) : 1)
  }
}

function startInElectron(program: string, flags: Flags): never {
  const { status } = spawnSync(
    program,
    [
      root,
      `--data-dir=${flags.dataDirectory}`,
      `--demo=${flags.demo}`,
      ...(flags.isHidden ? ['--hidden'] : []),
    ],
    { stdio: 'inherit' },
  )
  process.exit(status ?? 1)
}

function flagsOrExit(): Flags {
  try {
    const given = readFlags(process.argv.slice(2), { passesOver: false })
    if (given !== null) return given
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`)
    process.exit(2)
  }
}

const flags = flagsOrExit()
if (!buildIfStale(root)) {
  process.stderr.write('The app could not be built. The lines above say why.\n')
  process.exit(1)
}
if (flags.host === 'web' || (flags.host === null && (!hasDisplay() || !flags.opensBrowser))) {
  await startOnWeb(flags)
} else {
  const program = electronProgram(root)
  if (program !== null) startInElectron(program, flags)
  if (flags.host === 'electron') {
    process.stderr.write(
      'There is no Electron runtime here and it could not be fetched. Without it: npm start -- --host web\n',
    )
    process.exit(1)
  }
  process.stderr.write('There is no Electron runtime here: opening in the browser instead.\n')
  await startOnWeb(flags)
}
