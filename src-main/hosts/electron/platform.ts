import { powerMonitor, safeStorage, session, shell, utilityProcess } from 'electron'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { background } from '../../../src-shared/background.ts'
import type { Platform } from '../../engine/platform.ts'
import type { EmbeddedService, LaunchService } from '../embedded-service.ts'
import { systemClock } from '../../../src-shared/clock/clock.ts'
import { proxyFromRules } from '../system-proxy.ts'
import { secretsFile, type SecretCipher } from '../secrets-file.ts'

/** Returns a launcher that runs the built service as an Electron utility process. */
export const launchServiceProcess =
  (scriptPath: string): LaunchService =>
  (args) => {
    const child = utilityProcess.fork(scriptPath, [...args], { stdio: 'pipe', serviceName: 'Dunlin service' })
    return {
      // With stdio "pipe" both streams are readable, although Electron's types do not say so.
      stdout: child.stdout as Readable | null,
      stderr: child.stderr as Readable | null,
      onceExit: (listener) => child.once('exit', listener),
      kill: () => void child.kill(),
    }
  }

/** The platform under Electron. Must be created after the app is ready. */
export function electronPlatform(parts: {
  readonly dataDirectory: string
  readonly service: EmbeddedService
  readonly notices: Pick<Platform, 'notify' | 'withdraw'>
  log(line: string): void
}): Platform {
  return {
    dataDirectory: parts.dataDirectory,
    ...systemClock,
    log: (line) => parts.log(line),
    secrets: secretsFile(join(parts.dataDirectory, 'sealed-secrets.json'), systemSeal(parts.log), parts.log),
    ...parts.notices,
    openExternal: (url) => background(shell.openExternal(url), parts.log),
    findProxy: async (url) => proxyFromRules(await session.defaultSession.resolveProxy(url)),
    isOnBattery: () => powerMonitor.isOnBatteryPower(),
    onWake(listener) {
      powerMonitor.on('resume', listener)
      powerMonitor.on('unlock-screen', listener)
      return () => {
        powerMonitor.off('resume', listener)
        powerMonitor.off('unlock-screen', listener)
      }
    },
    startDemo: () => parts.service.start(),
  }
}

/** A seal with the system's keychain; null, with a line in the log, if there is no keychain. */
function systemSeal(log: (line: string) => void): SecretCipher | null {
  if (!safeStorage.isEncryptionAvailable()) {
    log('keychain: this system has none; keys are kept in a file that only you can read')
    return null
  }
  return {
    close: (secret) => safeStorage.encryptString(secret).toString('base64'),
    open: (sealed) => safeStorage.decryptString(Buffer.from(sealed, 'base64')),
  }
}
