import { background } from '../../../src-shared/background.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { createEngine } from '../../engine/engine.ts'
import { EmbeddedService, forkService } from '../embedded-service.ts'
import { prerender } from '../first-page.ts'
import { log } from '../log.ts'
import { announceAddress, announcedAddress, lockDataDirectory } from '../instance-lock.ts'
import { hasDisplay, openInBrowser } from './browser.ts'
import { startWebHost } from './http.ts'
import { webPlatform } from './platform.ts'

/** The options of the web host. */
export interface WebOptions {
  readonly dataDirectory: string
  readonly rendererDirectory: string
  readonly port: number
  readonly demo: 'no' | 'lively' | 'quiet'
  readonly opensBrowser: boolean
}

/** Runs the app on the web host until SIGINT or SIGTERM. Rejects with a `FailureError` if it cannot start. */
export async function runWebHost(options: WebOptions): Promise<void> {
  const opensLinks = options.opensBrowser && hasDisplay()
  const unlock = lockOrShow(options.dataDirectory, opensLinks)
  const service = new EmbeddedService({
    dataDirectory: options.dataDirectory,
    mode: options.demo === 'quiet' ? 'quiet' : 'lively',
    launch: forkService,
    log,
  })
  const platform = webPlatform({ dataDirectory: options.dataDirectory, service, log, opensLinks })
  const engine = await createEngine(platform)
  if (options.demo !== 'no') await engine.call('start-demo', {})
  const host = await startWebHost({
    engine,
    rendererDirectory: options.rendererDirectory,
    port: options.port,
    onStartUrl: (url) => announceAddress(options.dataDirectory, url),
    log,
  })

  const stop = async () => {
    await host.close()
    await engine.close()
    service.stop()
    unlock()
    process.exit(0)
  }
  process.on('SIGINT', () => background(stop(), log))
  process.on('SIGTERM', () => background(stop(), log))

  process.stdout.write(`Dunlin is ready: ${host.startUrl}\n`)
  if (opensLinks) openInBrowser(host.startUrl)
  prerender(engine, options.rendererDirectory, log)
}

/**
 * Locks the data directory. If the app already runs, opens the address that it announced in the browser, and throws.
 */
function lockOrShow(directory: string, opensLinks: boolean): () => void {
  try {
    return lockDataDirectory(directory)
  } catch (error) {
    const failure = failureOf(error)
    const address = announcedAddress(directory)
    if (failure.kind === 'device' && failure.code === 'in-use' && address !== null && opensLinks) {
      openInBrowser(address)
    }
    throw error
  }
}
