import { join } from 'node:path'
import type { Platform } from '../../engine/platform.ts'
import type { EmbeddedService } from '../embedded-service.ts'
import { systemClock } from '../../../src-shared/clock/clock.ts'
import { secretsFile } from '../secrets-file.ts'
import { proxyFromEnvironment } from '../system-proxy.ts'
import { openInBrowser } from './browser.ts'

const wakeCheckMs = 5_000
/** If the clock advances by more than this between two checks, the machine was asleep; in milliseconds. */
const sleepMs = 20_000

/** The platform under plain Node, without keychain and tray. The page shows the notifications. */
export function webPlatform(parts: {
  dataDirectory: string
  service: EmbeddedService
  log(line: string): void
  opensLinks: boolean
}): Platform {
  return {
    dataDirectory: parts.dataDirectory,
    ...systemClock,
    log: (line) => parts.log(line),
    secrets: secretsFile(join(parts.dataDirectory, 'secrets.json'), null, parts.log),
    // The page watches the query `notices`: it shows them itself, and closes those that are withdrawn.
    notify: () => {},
    withdraw: () => {},
    openExternal: (url) => {
      if (parts.opensLinks) openInBrowser(url)
    },
    findProxy: (url) => Promise.resolve(proxyFromEnvironment(process.env, url)),
    onWake(listener) {
      let last = Date.now()
      const timer = setInterval(() => {
        const now = Date.now()
        if (now - last > sleepMs) listener()
        last = now
      }, wakeCheckMs)
      timer.unref()
      return () => clearInterval(timer)
    },
    startDemo: () => parts.service.start(),
  }
}
