import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** The command-line flags. */
export interface Flags {
  readonly dataDirectory: string
  /** The port of the web host; 0: any free one. */
  readonly port: number
  readonly demo: 'no' | 'lively' | 'quiet'
  readonly opensBrowser: boolean
  /** Null: Electron if its runtime is available, otherwise the web host. */
  readonly host: 'web' | 'electron' | null
  /** Electron: start in the tray, without showing the window. */
  readonly isHidden: boolean
}

/** Printed for `--help`, and after what is wrong with the flags. */
export const usage = `Usage: npm start -- [flags]
  --demo                open the demo workspace, signed in (--demo=quiet: nobody else writes)
  --data-dir DIR        where accounts, drafts and messages are kept
  --host web|electron   where to open (default: Electron where its runtime is, else the web host)
  --port N              port of the web host (default: any free one)
  --no-open             print the web host's address instead of opening a browser
  --hidden              Electron: start in the tray
  --help                print this`

/**
 * Parses the flags; null if help is wanted. Throws an error whose message says which flag is wrong. With `passesOver`,
 * unknown arguments are ignored, because systems and Electron add their own.
 */
export function readFlags(given: readonly string[], { passesOver }: { passesOver: boolean }): Flags | null {
  // parseArgs does not support flags with an optional value.
  const args = given.map((arg) => (arg === '--demo' ? '--demo=lively' : arg))
  const { values } = parseArgs({
    args,
    strict: !passesOver,
    allowPositionals: passesOver,
    options: {
      help: { type: 'boolean', default: false },
      'data-dir': { type: 'string' },
      port: { type: 'string', default: '0' },
      demo: { type: 'string', default: 'no' },
      host: { type: 'string' },
      'no-open': { type: 'boolean', default: false },
      hidden: { type: 'boolean', default: false },
    },
  })
  if (values.help === true) return null
  const port = Number(values.port)
  const { demo, host } = values
  const directory = values['data-dir']
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port must be 0 to 65535.')
  if (demo !== 'no' && demo !== 'lively' && demo !== 'quiet')
    throw new Error('--demo takes no value, or quiet.')
  if (host !== undefined && host !== 'web' && host !== 'electron')
    throw new Error('--host must be web or electron.')
  return {
    dataDirectory: resolve(typeof directory === 'string' ? directory : usualDataDirectory(demo !== 'no')),
    port,
    demo,
    host: host ?? null,
    opensBrowser: values['no-open'] !== true,
    isHidden: values.hidden === true,
  }
}

/** The app's data directory by the convention of the operating system; the demo has its own. */
function usualDataDirectory(isDemo: boolean): string {
  const name = isDemo ? 'dunlin-demo' : 'dunlin'
  if (process.platform === 'win32') return join(process.env['APPDATA'] ?? homedir(), name)
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support', name)
  return join(process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local/share'), name)
}
