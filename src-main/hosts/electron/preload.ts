import { contextBridge, ipcRenderer, webFrame } from 'electron'

// The window's end of the bridge. It transports text without interpreting it.

// Identifies this page among those that the window has shown, so that it does not receive messages for another one.
const page = crypto.randomUUID()
const closingListeners = new Set<() => Promise<void>>()

ipcRenderer.on('window-closing', () => {
  void Promise.allSettled([...closingListeners].map((listener) => listener())).then(() =>
    ipcRenderer.send('window-may-close'),
  )
})

contextBridge.exposeInMainWorld('bridgePort', {
  send: (message: string) => ipcRenderer.send('bridge', page, message),
  onMessage(listener: (message: string) => void) {
    const forward = (_event: unknown, to: string, message: string) => {
      if (to === page) listener(message)
    }
    ipcRenderer.on('bridge', forward)
    return () => ipcRenderer.off('bridge', forward)
  },
  // Never called: if the main process ends, the window ends too.
  onClose: () => () => {},
  onClosing(listener: () => Promise<void>) {
    closingListeners.add(listener)
    return () => closingListeners.delete(listener)
  },
  zoom: (by: 1 | -1 | 0) => webFrame.setZoomLevel(by === 0 ? 0 : webFrame.getZoomLevel() + by / 2),
})
