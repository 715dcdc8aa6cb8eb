import type { ShellCommand } from './shell-state.ts'

/** What the system's own menus can do by themselves. */
export type MenuRole =
  | 'about'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'pasteAndMatchStyle'
  | 'selectAll'
  | 'resetZoom'
  | 'zoomIn'
  | 'zoomOut'
  | 'togglefullscreen'
  | 'minimize'
  | 'close'
  | 'front'

export type MenuItem =
  | { readonly role: MenuRole }
  | { readonly label: string; readonly command: ShellCommand; readonly accelerator?: string }
  /** A line between groups. */
  | null

export interface Menu {
  readonly label: string
  readonly items: readonly MenuItem[]
}

const roles = (...names: MenuRole[]): MenuItem[] => names.map((role) => ({ role }))

/** The application's menus. Only macOS has one named for the app; elsewhere its items are under File. */
export function menuModel(platform: NodeJS.Platform): readonly Menu[] {
  const isMac = platform === 'darwin'
  const quit: MenuItem = {
    label: 'Quit Dunlin',
    command: { kind: 'quit' },
    accelerator: 'CommandOrControl+Q',
  }
  return [
    isMac
      ? {
          label: 'Dunlin',
          items: [
            ...roles('about'),
            null,
            ...roles('services'),
            null,
            ...roles('hide', 'hideOthers', 'unhide'),
            null,
            quit,
          ],
        }
      : { label: 'File', items: [...roles('close'), null, quit] },
    {
      label: 'Edit',
      items: [
        ...roles('undo', 'redo'),
        null,
        ...roles('cut', 'copy', 'paste', 'pasteAndMatchStyle', 'selectAll'),
      ],
    },
    {
      label: 'View',
      items: [
        { label: 'Combined feed', command: { kind: 'go', view: 'combined' } },
        { label: 'Mentions', command: { kind: 'go', view: 'mentions' } },
        { label: 'Starred messages', command: { kind: 'go', view: 'starred' } },
        null,
        ...roles('resetZoom', 'zoomIn', 'zoomOut'),
        null,
        ...roles('togglefullscreen'),
      ],
    },
    { label: 'Window', items: isMac ? roles('close', 'minimize', 'front') : roles('minimize') },
  ]
}
