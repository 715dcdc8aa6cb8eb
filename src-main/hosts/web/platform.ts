import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '../../engine/platform.ts'
import type { EmbeddedService } from '../embedded-service.ts'
import { openInBrowser } from './browser.ts'

const wakeCheckMs = 5_000
/** A clock that jumps by more than this was asleep. */
const sleepMs = 20_000

/** The platform under plain Node: no keychain, no tray; notifications are shown by the page. */
export function webPlatform(parts: {
  dataDirectory: string
  service: EmbeddedService
  log(line: string): void
  opensLinks: boolean
}): Platform {
  const secretsPath = join(parts.dataDirectory, 'secrets.json')
  const readSecrets = (): Record<string, string> => {
    try {
      // Only `writeSecrets` writes this file.
      return JSON.parse(readFileSync(secretsPath, 'utf8')) as Record<string, string>
    } catch {
      return {}
    }
  }
  const writeSecrets = (secrets: Record<string, string>) => {
    // Whole or not at all: a half-written file would sign everybody out.
    writeFileSync(`${secretsPath}.new`, JSON.stringify(secrets), { mode: 0o600 })
    renameSync(`${secretsPath}.new`, secretsPath)
  }
  return {
    dataDirectory: parts.dataDirectory,
    now: () => Date.now(),
    wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    random: Math.random,
    log: (line) => parts.log(line),
    secrets: {
      get: (key) => Promise.resolve(readSecrets()[key] ?? null),
      set: async (key, value) => writeSecrets({ ...readSecrets(), [key]: value }),
      delete: async (key) => {
        const { [key]: _gone, ...rest } = readSecrets()
        writeSecrets(rest)
      },
    },
    // The page shows notices by itself, from the query of that name.
    notify: () => {},
    setBadge: () => {},
    openExternal: (url) => {
      if (parts.opensLinks) openInBrowser(url)
    },
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
