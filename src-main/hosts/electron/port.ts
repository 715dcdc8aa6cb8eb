import { ipcMain, type WebContents } from 'electron'
import type { Port } from '../../../src-shared/bridge/port.ts'
import { appOrigin } from './app-protocol.ts'

/**
 * Calls `serve` with a port for each page in our windows. A reloaded page gets a new port, and the old one is closed.
 * Messages are accepted only from the main frame of our own origin. Returns a function that closes all ports.
 */
export function servePorts(serve: (port: Port) => void): () => void {
  const ports = new Map<WebContents, PagePort>()
  const onText = (event: Electron.IpcMainEvent, page: unknown, text: unknown) => {
    const { sender, senderFrame } = event
    const isOurs = senderFrame !== null && senderFrame.parent === null && senderFrame.origin === appOrigin
    if (!isOurs || typeof page !== 'string' || typeof text !== 'string') return
    let port = ports.get(sender)
    if (port?.page !== page) {
      if (port === undefined) {
        const close = () => {
          ports.get(sender)?.close()
          ports.delete(sender)
        }
        sender.once('destroyed', close)
        sender.on('render-process-gone', close)
      }
      port?.close()
      port = new PagePort(sender, page)
      ports.set(sender, port)
      serve(port)
    }
    port.receive(text)
  }
  ipcMain.on('bridge', onText)
  return () => {
    ipcMain.off('bridge', onText)
    for (const port of ports.values()) port.close()
    ports.clear()
  }
}

/** The port of one page. */
class PagePort implements Port {
  readonly page: string
  readonly #contents: WebContents
  readonly #messageListeners = new Set<(message: string) => void>()
  readonly #closeListeners = new Set<() => void>()

  constructor(contents: WebContents, page: string) {
    this.#contents = contents
    this.page = page
  }

  send(message: string): void {
    if (!this.#contents.isDestroyed()) this.#contents.send('bridge', this.page, message)
  }

  onMessage(listener: (message: string) => void): () => void {
    this.#messageListeners.add(listener)
    return () => this.#messageListeners.delete(listener)
  }

  onClose(listener: () => void): () => void {
    this.#closeListeners.add(listener)
    return () => this.#closeListeners.delete(listener)
  }

  receive(text: string): void {
    for (const listener of this.#messageListeners) listener(text)
  }

  close(): void {
    for (const listener of this.#closeListeners) listener()
    this.#closeListeners.clear()
    this.#messageListeners.clear()
  }
}
