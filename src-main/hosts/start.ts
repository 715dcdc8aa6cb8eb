import { spawnSync } from 'node:child_process'
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
  try {
    const { runWebHost } = await import('./web/main.ts')
    await runWebHost({ ...flags, rendererDirectory: join(root, 'out/renderer') })
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

const flags = readFlags(process.argv.slice(2), { passesOver: false })
if (flags === null) {
  process.stderr.write(`${usage}\n`)
  process.exit(2)
}
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
