/** What the app did to the system, for tests to inspect. It is plain data, because it is sent between processes. */
export interface Record {
  paths: { [name: string]: string }
  protocolClients: string[]
  privilegedSchemes: unknown[]
  badgeCount: number
  drawsPlainly: boolean
  tray: { image: string; tooltip: string; items: MenuLine[] } | null
  menu: { label: string; items: MenuLine[] }[]
  notifications: { title: string; body: string; hasReply: boolean; isSilent: boolean; isClosed: boolean }[]
  openedOutside: string[]
  errorBoxes: { title: string; content: string }[]
  windows: {
    url: string
    isVisible: boolean
    isMaximized: boolean
    options: Electron.BrowserWindowConstructorOptions
  }[]
}

export interface MenuLine {
  label: string
  role: string | null
  isChecked: boolean | null
}

export const record: Record = {
  paths: {},
  protocolClients: [],
  privilegedSchemes: [],
  badgeCount: 0,
  drawsPlainly: false,
  tray: null,
  menu: [],
  notifications: [],
  openedOutside: [],
  errorBoxes: [],
  windows: [],
}
