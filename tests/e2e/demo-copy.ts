import { cpSync } from 'node:fs'
import { once } from 'node:events'
import { startServiceProcess } from './browser.ts'
import { makeFolder, removeFolder } from '../support/temporary-folder.ts'

/** After so many milliseconds the demo is created anew: its newest messages are minutes old, and should stay so. */
const freshMs = 10 * 60_000

let demo: { readonly directory: string; readonly createdAt: number } | null = null

/**
 * Fills an empty data directory of a service with the demo. Creating it is most of what starting such a service takes,
 * so one is created for many journeys, by the service itself.
 */
export async function copyDemo(directory: string): Promise<void> {
  if (demo === null || Date.now() - demo.createdAt > freshMs) {
    removeDemo()
    const created = { directory: makeFolder(), createdAt: Date.now() }
    const { child } = await startServiceProcess(created.directory)
    const hasEnded = once(child, 'exit')
    child.kill('SIGTERM')
    await hasEnded
    demo = created
  }
  cpSync(demo.directory, directory, { recursive: true })
}

function removeDemo(): void {
  if (demo !== null) removeFolder(demo.directory)
  demo = null
}

process.once('exit', removeDemo)
