import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { record, type Record } from './record.ts'

/** All shown notifications in order; tests click and answer them. */
export const shownNotifications: Notification[] = []

export class Notification extends EventEmitter {
  readonly #options: Electron.NotificationConstructorOptions
  #shown: Record['notifications'][number] | null = null

  constructor(options: Electron.NotificationConstructorOptions) {
    super()
    this.#options = options
  }

  static isSupported(): boolean {
    return true
  }

  static removeAll(): void {
    for (const shown of record.notifications) shown.isClosed = true
  }

  show(): void {
    const { title, body, hasReply, silent } = this.#options
    this.#shown = {
      title: title ?? '',
      body: body ?? '',
      hasReply: hasReply === true,
      isSilent: silent === true,
      isClosed: false,
    }
    record.notifications.push(this.#shown)
    shownNotifications.push(this)
  }

  close(): void {
    if (this.#shown !== null) this.#shown.isClosed = true
    this.emit('close', {})
  }
}

export const shell = {
  openExternal: (url: string) => Promise.resolve(void record.openedOutside.push(url)),
} satisfies Pick<Electron.Shell, 'openExternal'>

export const clipboard = { writeText: () => {} }

export const dialog = {
  showErrorBox: (title: string, content: string) => void record.errorBoxes.push({ title, content }),
} satisfies Pick<Electron.Dialog, 'showErrorBox'>

/** The beginning of Chromium's ciphertext. */
const sealMark = Buffer.from('v10')

/** Not a cipher, but enough to see that no key is stored on disk in plain text. */
export const safeStorage = {
  isEncryptionAvailable: () => true,
  encryptString: (text: string) => Buffer.concat([sealMark, Buffer.from(text).reverse()]),
  decryptString: (sealed: Buffer) => {
    if (!sealed.subarray(0, 3).equals(sealMark)) throw new Error('this does not appear to be encrypted')
    return Buffer.from(sealed.subarray(3)).reverse().toString()
  },
} satisfies Pick<Electron.SafeStorage, 'isEncryptionAvailable' | 'encryptString' | 'decryptString'>

export const powerMonitor = Object.assign(new EventEmitter(), {
  isOnBatteryPower: () => false,
})

export const nativeTheme = Object.assign(new EventEmitter(), { shouldUseDarkColors: false })

export const screen = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1600, height: 1000 } }],
}

class ServiceProcess extends EventEmitter {
  readonly #child: ChildProcess

  constructor(child: ChildProcess) {
    super()
    this.#child = child
    child.once('exit', (code) => this.emit('exit', code))
  }

  get stdout() {
    return this.#child.stdout
  }

  get stderr() {
    return this.#child.stderr
  }

  kill(): boolean {
    return this.#child.kill()
  }
}

export const utilityProcess = {
  // A separate process, as in Electron.
  fork: (path: string, args: string[]) =>
    new ServiceProcess(fork(path, args, { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })),
}
