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
