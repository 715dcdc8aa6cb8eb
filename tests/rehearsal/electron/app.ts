import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { record } from './record.ts'

type Used = Pick<
  Electron.App,
  | 'isPackaged'
  | 'setPath'
  | 'requestSingleInstanceLock'
  | 'whenReady'
  | 'quit'
  | 'exit'
  | 'relaunch'
  | 'setAsDefaultProtocolClient'
  | 'setBadgeCount'
  | 'disableHardwareAcceleration'
>

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

class RehearsedApp extends EventEmitter implements Used {
  readonly isPackaged = process.env['REHEARSAL_UNPACKAGED'] === undefined

  setPath(name: string, path: string): void {
    mkdirSync(path, { recursive: true })
    record.paths[name] = path
  }

  /**
   * As in Electron: one lock per user data folder. A second instance is refused, and the first receives its arguments.
   */
  requestSingleInstanceLock(): boolean {
    const folder = record.paths['userData'] ?? ''
    const lock = join(folder, 'rehearsal-lock')
    const knock = join(folder, 'rehearsal-knock')
    if (existsSync(lock) && isAlive(Number(readFileSync(lock, 'utf8')))) {
      writeFileSync(knock, JSON.stringify(process.argv))
      return false
    }
    writeFileSync(lock, String(process.pid))
    rmSync(knock, { force: true })
    watch(folder, (_kind, name) => {
      if (name !== 'rehearsal-knock' || !existsSync(knock)) return
      const text = readFileSync(knock, 'utf8')
      if (text === '') return
      rmSync(knock, { force: true })
      this.emit('second-instance', {}, JSON.parse(text) as string[], folder)
    }).unref()
    return true
  }

  async whenReady(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
  }

  quit(): void {
    let isPrevented = false
    this.emit('before-quit', { preventDefault: () => (isPrevented = true) })
    if (!isPrevented) this.exit(0)
  }

  exit(code?: number): void {
    process.exit(code)
  }

  /** The process ends afterwards, so the test finds this in its log. */
  relaunch(options?: Electron.RelaunchOptions): void {
    process.stderr.write(`relaunch: ${JSON.stringify(options?.args)}\n`)
  }

  setAsDefaultProtocolClient(scheme: string): boolean {
    record.protocolClients.push(scheme)
    return true
  }

  disableHardwareAcceleration(): void {
    record.drawsPlainly = true
  }

  setBadgeCount(count?: number): boolean {
    record.badgeCount = count ?? 0
    return true
  }
}

export const app = new RehearsedApp()
