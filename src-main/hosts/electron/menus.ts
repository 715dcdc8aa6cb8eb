import {
  clipboard,
  Menu,
  nativeImage,
  nativeTheme,
  Tray,
  type MenuItemConstructorOptions,
  type WebContents,
} from 'electron'
import { join } from 'node:path'
import { t, type Language } from '../../../src-shared/texts/texts.ts'
import { contextMenuModel } from '../../shell/context-menu-model.ts'
import { menuModel } from '../../shell/menu-model.ts'
import type { ShellCommand, ShellState } from '../../shell/shell-state.ts'
import { showsOnTrayClick, trayFile, trayModel, type TrayBar, type TrayIcon } from '../../shell/tray-model.ts'

type Run = (command: ShellCommand) => void

const separator: MenuItemConstructorOptions = { type: 'separator' }

let shownMenu = ''

/** Sets the application menu in this language and with these keys; does nothing if it is already like that. */
export function setMenu(run: Run, language: Language, findKeys: string | null): void {
  const wanted = `${language} ${findKeys}`
  if (wanted === shownMenu) return
  shownMenu = wanted
  const template = menuModel(process.platform, findKeys).map(
    ({ label, items }): MenuItemConstructorOptions => ({
      label,
      submenu: items.map((item) => {
        if (item === null) return separator
        const { accelerator } = item
        if ('role' in item) {
          return {
            role: item.role,
            label: t.native.menus.roles[item.role],
            ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
          }
        }
        const { label: text, command, isKeyOfPage } = item
        return {
          label: text,
          click: () => run(command),
          ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: isKeyOfPage !== true }),
        }
      }),
    }),
  )
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

/** Creates the tray icon. `show` updates it to a new state. */
export function makeTray(
  iconsDirectory: string,
  run: Run,
): { show(state: ShellState): void; destroy(): void } {
  const pictureOf = (icon: TrayIcon) => {
    const picture = nativeImage.createFromPath(join(iconsDirectory, trayFile(icon, trayBar())))
    if (process.platform === 'darwin') picture.setTemplateImage(true)
    return picture
  }
  const tray = new Tray(pictureOf('plain'))
  if (showsOnTrayClick(process.platform)) tray.on('click', () => run({ kind: 'show' }))
  let icon: TrayIcon = 'plain'
  let shown = ''
  const onTheme = () => tray.setImage(pictureOf(icon))
  nativeTheme.on('updated', onTheme)
  return {
    show(state) {
      const model = trayModel(state)
      const text = JSON.stringify(model)
      if (text === shown) return
      shown = text
      icon = model.icon
      tray.setImage(pictureOf(icon))
      tray.setToolTip(model.tooltip)
      tray.setContextMenu(
        Menu.buildFromTemplate(
          model.items.map((item): MenuItemConstructorOptions => {
            if (item === null) return separator
            const { label, command, isChecked } = item
            return {
              label,
              click: () => run(command),
              ...(isChecked === undefined ? {} : { type: 'checkbox', checked: isChecked }),
            }
          }),
        ),
      )
    },
    destroy() {
      nativeTheme.off('updated', onTheme)
      tray.destroy()
    },
  }
}

const trayBar = (): TrayBar => ({
  platform: process.platform,
  desktop: process.env['XDG_CURRENT_DESKTOP'] ?? '',
  isDark: nativeTheme.shouldUseDarkColors,
  isSystemDark: nativeTheme.shouldUseDarkColorsForSystemIntegratedUI,
})

/** Opens a context menu on right click, unless it would be empty. */
export function openContextMenus(contents: WebContents): void {
  contents.on('context-menu', (_event, params) => {
    const items = contextMenuModel({
      isEditable: params.isEditable,
      selectionText: params.selectionText,
      linkUrl: params.linkURL,
      misspelledWord: params.misspelledWord,
      suggestions: params.dictionarySuggestions,
    })
    if (items.length === 0) return
    const click = { correct: correct, learn: learn, 'copy-link': copy }
    Menu.buildFromTemplate(
      items.map((item): MenuItemConstructorOptions => {
        if (item === null) return separator
        if ('role' in item) return { role: item.role, label: t.native.menus.roles[item.role] }
        return { label: item.label, click: () => void click[item.does](item.text) }
      }),
    ).popup()
  })
  const correct = (word: string) => contents.replaceMisspelling(word)
  const learn = (word: string) => contents.session.addWordToSpellCheckerDictionary(word)
  const copy = (text: string) => clipboard.writeText(text)
}
