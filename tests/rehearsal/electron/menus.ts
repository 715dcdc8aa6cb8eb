import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { record, type MenuLine } from './record.ts'

type Template = readonly Electron.MenuItemConstructorOptions[]

const linesOf = (template: Template): MenuLine[] =>
  template
    .filter(({ type }) => type !== 'separator')
    .map(({ label, role, type, checked }) => ({
      label: label ?? '',
      role: role ?? null,
      isChecked: type === 'checkbox' ? checked === true : null,
    }))

export class Menu {
  readonly template: Template

  private constructor(template: Template) {
    this.template = template
  }

  static buildFromTemplate(template: Template): Menu {
    return new Menu(template)
  }

  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu
    record.menu = (menu?.template ?? []).map(({ label, submenu }) => ({
      label: label ?? '',
      items: linesOf(submenu as Template),
    }))
  }

  popup(): void {
    // oxlint-disable-next-line typescript/no-this-alias -- the menu itself is what is looked at later
    contextMenu = this
  }
}

let applicationMenu: Menu | null = null
let contextMenu: Menu | null = null
let trayMenu: Menu | null = null

/** Clicks a menu item, as a person would; throws if there is none. */
export function clickMenu(where: 'application' | 'tray' | 'context', label: string): void {
  const menu = { application: applicationMenu, tray: trayMenu, context: contextMenu }[where]
  const items = (menu?.template ?? []).flatMap((item) => [
    item,
    ...((item.submenu as Template | undefined) ?? []),
  ])
  const found = items.find((item) => item.label === label && item.click !== undefined)
  if (found === undefined) throw new Error(`no line ${label} in the ${where} menu`)
  ;(found.click as () => void)()
}

class Picture {
  readonly name: string
  isTemplate = false

  constructor(path: string) {
    if (!existsSync(path)) throw new Error(`there is no picture ${path}`)
    this.name = basename(path)
  }

  setTemplateImage(on: boolean): void {
    this.isTemplate = on
  }
}

export const nativeImage = { createFromPath: (path: string) => new Picture(path) }

export class Tray extends EventEmitter {
  constructor(image: Picture) {
    super()
    record.tray = { image: image.name, tooltip: '', items: [] }
  }

  setImage(image: Picture): void {
    this.#shown().image = image.name
  }

  setToolTip(tooltip: string): void {
    this.#shown().tooltip = tooltip
  }

  setContextMenu(menu: Menu | null): void {
    const shown = this.#shown()
    trayMenu = menu
    shown.items = linesOf(menu?.template ?? [])
  }

  destroy(): void {
    record.tray = null
  }

  #shown() {
    if (record.tray === null) throw new TypeError('Object has been destroyed')
    return record.tray
  }
}
