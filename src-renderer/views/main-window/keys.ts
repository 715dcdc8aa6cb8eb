import { doable, type Doable } from '../../state/keys/doable.ts'
import { keyBindings } from '../../state/keys/key-bindings.svelte.ts'
import { openFind } from '../../state/reading/open-find.ts'
import { isCovered } from '../../state/keys/resting-focus.ts'
import { shortcuts, type ShortcutName, type ShortcutOf } from '../../state/keys/shortcuts.ts'

/** The acts of the window's shortcuts, by name. The event tells which key it was if a shortcut has several. */
export type WindowActs = { readonly [N in Exclude<WindowShortcut, Zoom>]: Act } & {
  readonly [N in Zoom]?: Act
}

type Act = (event: KeyboardEvent) => void
type WindowShortcut = ShortcutOf<'window'>
/** Shortcuts for which browsers have their own keys. */
type Zoom = Extract<WindowShortcut, `zoom-${string}`>

/** Shortcuts that do not affect the content, so that an open dialog or menu does not block them. */
const ofTheWindowItself = new Set<ShortcutName>(['reload', 'zoom-in', 'zoom-out', 'zoom-reset'])

/**
 * Handles the window's shortcuts that have acts, and offers them by name, until the returned function is called. While
 * a dialog or menu is open, it receives all other keys.
 */
export function listenToKeys(acts: Partial<WindowActs>): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    const name = keyBindings.nameOf(event, 'window')
    if (name === null || !isOfWindow(acts, name)) return
    if (isCovered() && !ofTheWindowItself.has(name)) return
    event.preventDefault()
    acts[name]?.(event)
  }
  addEventListener('keydown', onKey)
  const withdraw = doable.offer(() =>
    shortcuts.flatMap(({ name }): Doable[] =>
      // Where there is nothing to find in, its key searches everything, which has a name of its own.
      isOfWindow(acts, name) && (name !== 'find' || openFind.isOffered)
        ? [{ name, object: '', run: () => acts[name]?.(new KeyboardEvent('keydown')) }]
        : [],
    ),
  )
  return () => {
    withdraw()
    removeEventListener('keydown', onKey)
  }
}

const isOfWindow = (acts: Partial<WindowActs>, name: ShortcutName): name is WindowShortcut =>
  Object.hasOwn(acts, name)

const regions = ['header.tb', 'nav.rail', 'nav.sb', 'main.sheet', 'main.sheet .cmp', 'aside.pp', '.side']
const focusable = 'a[href], button:not(:disabled), input, textarea, select, [tabindex="0"]'

/** Focuses the next or the previous visible part of the window. */
export function focusRegion(by: 1 | -1): void {
  const shown = regions.flatMap((selector) => {
    const element = document.querySelector<HTMLElement>(selector)
    return element === null || element.offsetParent === null ? [] : [element]
  })
  const holds = (region: HTMLElement) => region.contains(document.activeElement)
  // The compose box is inside the sheet, and the innermost part counts.
  const at = shown.findLastIndex(holds)
  for (let step = 1; step <= shown.length; step++) {
    const region =
      shown[((((at === -1 && by === -1 ? 0 : at) + by * step) % shown.length) + shown.length) % shown.length]
    const inner = region?.matches('main.sheet') === true ? region.querySelector<HTMLElement>('.cmp') : null
    for (const element of region?.querySelectorAll<HTMLElement>(focusable) ?? []) {
      if (element.tabIndex < 0 || inner?.contains(element) === true) continue
      element.focus()
      // A hidden element does not take the focus.
      if (document.activeElement === element) return
    }
  }
}
