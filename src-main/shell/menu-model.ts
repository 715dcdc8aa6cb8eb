import { t } from '../../src-shared/texts/texts.ts'
import { acceleratorOf } from './accelerator.ts'
import type { ShellCommand } from './shell-state.ts'

/** Roles of menu items that the system implements. */
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

/** An item of a menu: one of the system's, or one of ours with its command. */
export type MenuItem =
  /** `accelerator`: shown instead of the role's own; the page has the key. */
  | { readonly role: MenuRole; readonly accelerator?: string }
  | {
      readonly label: string
      readonly command: ShellCommand
      readonly accelerator?: string
      /** The page listens to the key, which the menu only shows. */
      readonly isKeyOfPage?: true
    }
  /** A separator between groups. */
  | null

/** One menu of the app's menu bar. */
export interface Menu {
  readonly label: string
  readonly items: readonly MenuItem[]
}

const roles = (...names: MenuRole[]): MenuItem[] => names.map((role) => ({ role }))

/**
 * The application's menus. Only macOS has one named for the app; elsewhere its items are under File. `findKeys` are the
 * page's keys for finding, as it writes them; null for none.
 */
export function menuModel(platform: NodeJS.Platform, findKeys: string | null): readonly Menu[] {
  const isMac = platform === 'darwin'
  const find = findKeys === null ? null : acceleratorOf(findKeys)
  const quit: MenuItem = {
    label: t.native.quit,
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
      : { label: t.native.menus.file, items: [...roles('close'), null, quit] },
    {
      label: t.native.menus.edit,
      items: [
        ...roles('undo', 'redo'),
        null,
        ...roles('cut', 'copy', 'paste', 'pasteAndMatchStyle', 'selectAll'),
        null,
        {
          label: t.native.menus.find,
          command: { kind: 'find' },
          ...(find === null ? {} : { accelerator: find, isKeyOfPage: true }),
        },
      ],
    },
    {
      label: t.native.menus.view,
      items: [
        { label: t.native.menus.combined, command: { kind: 'go', view: 'combined' } },
        { label: t.native.menus.mentions, command: { kind: 'go', view: 'mentions' } },
        { label: t.native.menus.starred, command: { kind: 'go', view: 'starred' } },
        null,
        // The role's own key leads to all organizations.
        { role: 'resetZoom', accelerator: 'CommandOrControl+Alt+0' },
        ...roles('zoomIn', 'zoomOut'),
        null,
        ...roles('togglefullscreen'),
      ],
    },
    { label: t.native.menus.window, items: isMac ? roles('close', 'minimize', 'front') : roles('minimize') },
  ]
}
