import { keepInEntry, keptInEntry } from './history-entry.ts'
import { isResting } from '../keys/resting-focus.ts'
import { route } from './route.svelte.ts'

/** The state of a page when the person left it; a feed stores its scroll position itself. */
interface PagePlace {
  /** The scroll position of the list in the sheet, in pixels. */
  readonly scrollTop: number
  /** A selector for the element in the sheet that had the focus; null if none in particular. */
  readonly focus: string | null
  /** The selection in that element, if it is a field. */
  readonly selection: readonly [number, number] | null
}

const field = 'pagePlace'
/** How many frames to wait until the list is as long as it was and the focused element exists. */
const framesAtMost = 240

const sheet = () => document.querySelector<HTMLElement>('main.sheet')
/** The scrolling element of a page that is a list. */
const lists = '.ibx, .page'
const list = () => sheet()?.querySelector<HTMLElement>(lists) ?? null

/** The last focused element in the sheet. A press on something outside has already moved the focus away. */
let lastInSheet: Element | null = null

/** A selector that finds the element when the place is shown again; null if there is none. */
function wayTo(element: Element | null): string | null {
  if (element === null || isResting(element) || sheet()?.contains(element) !== true) return null
  if (element instanceof HTMLTextAreaElement && element.closest('.cmp') !== null) return '.cmp textarea'
  const row = element.closest<HTMLElement>('[data-row]')?.dataset['row']
  if (row !== undefined) return `[data-row="${CSS.escape(row)}"]`
  const address = element.closest('a')?.getAttribute('href')
  return address == null ? null : `a[href="${CSS.escape(address)}"]`
}

/** Stores the state of the page with the current entry of the window's history. */
export function keepPage(): void {
  const text = lastInSheet instanceof HTMLTextAreaElement ? lastInSheet : null
  const place: PagePlace = {
    scrollTop: list()?.scrollTop ?? 0,
    focus: wayTo(lastInSheet),
    selection: text === null ? null : [text.selectionStart, text.selectionEnd],
  }
  keepInEntry({ [field]: place })
}

function keptPage(): PagePlace | null {
  const kept = keptInEntry(field)
  // Only this window writes it.
  return typeof kept === 'object' ? (kept as PagePlace | null) : null
}

/**
 * Stores the state of each page that the person leaves, and restores it on back, forward and reload, until the
 * returned function is called.
 */
export function followPages(): () => void {
  const noteFocus = ({ target }: FocusEvent) => {
    if (target instanceof Element && sheet()?.contains(target) === true) lastInSheet = target
  }
  const noteScroll = ({ target }: Event) => {
    if (target instanceof Element && target.matches(lists) && target === list()) keepPage()
  }
  // A press may navigate; Enter on a link counts as a click too.
  const notePress = ({ target }: Event) => {
    if (target instanceof Element && target.closest('a[href^="#"]') !== null) keepPage()
  }
  const restoreKept = () => {
    const place = keptPage()
    if (place !== null) restore(place, location.hash, framesAtMost)
  }
  addEventListener('focusin', noteFocus)
  addEventListener('click', notePress, true)
  addEventListener('scrollend', noteScroll, true)
  addEventListener('hashchange', restoreKept)
  const stop = route.beforeGoing(keepPage)
  restoreKept()
  return () => {
    removeEventListener('focusin', noteFocus)
    removeEventListener('click', notePress, true)
    removeEventListener('scrollend', noteScroll, true)
    removeEventListener('hashchange', restoreKept)
    stop()
  }
}

/** As soon as the page is drawn, unless the person has moved on meanwhile. */
function restore(place: PagePlace, address: string, frames: number): void {
  requestAnimationFrame(() => {
    if (location.hash !== address) return
    const scroller = list()
    const isLong = scroller !== null && scroller.scrollHeight - scroller.clientHeight >= place.scrollTop
    if (scroller !== null && place.scrollTop > 0 && (isLong || frames === 0))
      scroller.scrollTop = place.scrollTop
    const target = place.focus === null ? null : (sheet()?.querySelector<HTMLElement>(place.focus) ?? null)
    const isFocused =
      place.focus === null ||
      (target !== null &&
        (isResting(document.activeElement) || document.activeElement === target) &&
        focusOn(target, place.selection))
    const isDone = (isLong || place.scrollTop === 0) && isFocused
    if (!isDone && frames > 0) restore(place, address, frames - 1)
  })
}

/** Whether it has the focus and contains the text to select. */
function focusOn(target: HTMLElement, selection: PagePlace['selection']): boolean {
  target.focus({ preventScroll: true })
  if (selection === null || !(target instanceof HTMLTextAreaElement)) return true
  if (target.value.length < selection[1]) return false
  target.setSelectionRange(...selection)
  return true
}
