import { t } from '../../../src-shared/texts/texts.ts'
import { stepAlong } from './direction.ts'
import { keyBindings } from './key-bindings.svelte.ts'
import { isCovered, isResting } from './resting-focus.ts'
import type { ShortcutOf } from './shortcuts.ts'

type ListShortcut = ShortcutOf<'list'>

const focusable = 'a[href], button:not(:disabled)'
const focusablesOf = (row: HTMLElement): HTMLElement[] =>
  row.matches(focusable) ? [row] : [...row.querySelectorAll<HTMLElement>(focusable)]

/** The meaning of a pressed key in a list; null for other keys, and while a dialog or menu is open. */
export function listKey(event: KeyboardEvent): ListShortcut | null {
  if (event.defaultPrevented) return null
  const name = keyBindings.nameOf(event, 'list')
  return isCovered() ? null : name
}

/**
 * The index of the row that a key leads to from a row (-1 from beside the list), never beyond the ends of the list; null
 * if the key leads to no other row. `pageRows` is how many rows are in view.
 */
export function rowFor(
  name: ListShortcut,
  at: number,
  { count, pageRows }: { readonly count: number; readonly pageRows: number },
): number | null {
  const page = Math.max(1, pageRows - 1)
  const goals: { readonly [N in ListShortcut]?: number } = {
    'next-row': at + 1,
    'previous-row': at - 1,
    'next-rows': at + page,
    'previous-rows': at - page,
    'first-row': 0,
    'last-row': count - 1,
  }
  const goal = goals[name]
  return goal === undefined ? null : Math.max(0, Math.min(count - 1, goal))
}

/** How many rows like this one are in view. */
export function rowsInPage(row: HTMLElement | undefined): number {
  const page = row?.closest<HTMLElement>('.page')
  return row === undefined || page == null ? 0 : Math.floor(page.clientHeight / row.offsetHeight)
}

/** Moves the focus within its row; returns whether the key asked for that. */
export function walkInRow(name: ListShortcut, event: KeyboardEvent, row: HTMLElement | undefined): boolean {
  if (name !== 'next-in-row' && name !== 'previous-in-row') return false
  if (row === undefined) return false
  // Arrow keys mean sides of the screen; letters mean previous and next.
  const isTurned = event.key.startsWith('Arrow') && t.direction === 'rtl'
  const all = focusablesOf(row)
  const by = (name === 'next-in-row') === isTurned ? -1 : 1
  all[all.findIndex((one) => one === document.activeElement) + by]?.focus()
  event.preventDefault()
  return true
}

/**
 * Beside a field with results: up and down move through both, and Enter in the field chooses the first result. For
 * `onkeydown` of the element that contains them; `result` selects the results.
 */
export function walkFound(event: KeyboardEvent, result = 'li button'): void {
  const { target } = event
  if (event.key === 'Enter' && target instanceof HTMLInputElement) {
    event.preventDefault()
    const first = (event.currentTarget as HTMLElement).querySelector<HTMLElement>(result)
    // An empty field is not a search.
    if (target.value.trim() !== '') first?.click()
    return
  }
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0 || !(event.currentTarget instanceof HTMLElement)) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')]
  event.preventDefault()
  stops[stops.findIndex((one) => one === document.activeElement) + by]?.focus()
}

/** For `onkeydown` of a toolbar: the arrow keys move the focus between its buttons, starting over at its ends. */
export function walkToolbar(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const by = stepAlong(event.key)
  if (by === 0 || event.altKey || event.ctrlKey || event.metaKey) return
  const all = focusablesOf(event.currentTarget)
  const at = all.findIndex((one) => one === document.activeElement)
  all[(at + by + all.length) % all.length]?.focus()
  event.preventDefault()
}

/** Focuses a row; the index is clamped to the list. */
export function focusListRow(rows: readonly HTMLElement[], at: number): void {
  const row = rows[Math.max(0, Math.min(rows.length - 1, at))]
  if (row !== undefined) focusablesOf(row)[0]?.focus()
}

/**
 * Keeps the focus in a list whose rows are drawn anew, for as long as the list exists: if the focused row disappears or
 * is moved, the same control of the row with its `data-key` takes the focus, wherever that row is now, and otherwise the
 * row in its place, or the last one. `row` selects the rows.
 */
export const keepRowFocus = (row: string) => (list: HTMLElement) => {
  let last: { control: Element; key: string | undefined; rowAt: number; controlAt: number } | null = null
  /** Whether the person has left the control for no other one. */
  let isLeft = false
  const rows = () => [...list.querySelectorAll<HTMLElement>(row)]
  const keep = (changes: readonly MutationRecord[] = []) => {
    if (last === null || isCovered() || !isResting(document.activeElement)) return
    const { control, key, rowAt, controlAt } = last
    // A moved row was removed for a moment, which takes the focus from it.
    const isMoved = () =>
      changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(control)))
    if (control.isConnected && (isLeft || !isMoved())) return
    const all = rows()
    const goal = all.find((one) => one.dataset['key'] === key) ?? all[Math.min(rowAt, all.length - 1)]
    if (goal === undefined) return
    const controls = focusablesOf(goal)
    ;(controls[controlAt] ?? controls[0])?.focus()
  }
  const follow = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    isLeft = isResting(target)
    // A dialog over the list is closed again, and the row may be elsewhere by then.
    if (isLeft || isCovered()) return keep()
    const all = rows()
    const rowAt = all.findIndex((one) => one.contains(target))
    const holder = all[rowAt]
    last =
      holder === undefined
        ? null
        : {
            control: target,
            key: holder.dataset['key'],
            rowAt,
            controlAt: focusablesOf(holder).indexOf(target),
          }
  }
  // A click beside all controls takes the focus without giving it to one.
  const press = ({ target }: PointerEvent) => {
    if (!(target instanceof Node && last?.control.contains(target) === true)) isLeft = true
  }
  addEventListener('focusin', follow)
  addEventListener('pointerdown', press, true)
  const observer = new MutationObserver(keep)
  observer.observe(list, { childList: true, subtree: true })
  return () => {
    removeEventListener('focusin', follow)
    removeEventListener('pointerdown', press, true)
    observer.disconnect()
  }
}

/**
 * Moves through rows by keys. For other keys it returns the shortcut's name and the
 * index of the focused row, so that the caller can act on them and stop the event.
 */
export function walkList(
  event: KeyboardEvent,
  rows: readonly HTMLElement[],
): { readonly name: ListShortcut; readonly at: number } | null {
  const name = listKey(event)
  if (name === null) return null
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  if (walkInRow(name, event, rows[at])) return null
  const goal = rowFor(name, at, { count: rows.length, pageRows: rowsInPage(rows[0]) })
  if (goal !== null) {
    event.preventDefault()
    focusListRow(rows, goal)
    return null
  }
  return at === -1 ? null : { name, at }
}
