import { keepInEntry, keptInEntry } from './history-entry.ts'
import { isResting } from './resting-focus.ts'
import { route } from './route.svelte.ts'

/** How a page was when the person went on; a feed knows itself where it was scrolled to. */
interface PagePlace {
  /** How far the list in the sheet was scrolled, pixels. */
  readonly scrollTop: number
  /** Finds what had the focus in the sheet; null for nothing in particular. */
  readonly focus: string | null
  /** What was selected there, for a field. */
  readonly selection: readonly [number, number] | null
}

const field = 'pagePlace'
/** For so many pictures it is waited for the list to be as long as it was, and for what had the focus. */
const framesAtMost = 240

const sheet = () => document.querySelector<HTMLElement>('main.sheet')
/** What scrolls in a page that is a list. */
const lists = '.ibx, .page'
const list = () => sheet()?.querySelector<HTMLElement>(lists) ?? null

/** The element in the sheet that had the focus last: who presses something beside it has left it already. */
let lastInSheet: Element | null = null

/** A selector that finds the element when the place is shown again; null where none does. */
function wayTo(element: Element | null): string | null {
  if (element === null || isResting(element) || sheet()?.contains(element) !== true) return null
  if (element instanceof HTMLTextAreaElement && element.closest('.cmp') !== null) return '.cmp textarea'
  const row = element.closest<HTMLElement>('[data-row]')?.dataset['row']
  if (row !== undefined) return `[data-row="${CSS.escape(row)}"]`
  const address = element.closest('a')?.getAttribute('href')
  return address == null ? null : `a[href="${CSS.escape(address)}"]`
}

/** Keeps how the page is with the present entry of the window's history. */
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
 * Keeps how each page was that the person goes on from, and shows it like that again by back, forward and a reload;
 * until the returned function is called.
 */
export function followPages(): () => void {
  const noteFocus = ({ target }: FocusEvent) => {
    if (target instanceof Element && sheet()?.contains(target) === true) lastInSheet = target
  }
  const noteScroll = ({ target }: Event) => {
    if (target instanceof Element && target === list()) keepPage()
  }
  // What is pressed may lead elsewhere; Enter on a link is a click as well.
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

/** As soon as it is drawn, unless the person has gone on meanwhile. */
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

/** Whether it has the focus, and its text is there to be selected. */
function focusOn(target: HTMLElement, selection: PagePlace['selection']): boolean {
  target.focus({ preventScroll: true })
  if (selection === null || !(target instanceof HTMLTextAreaElement)) return true
  if (target.value.length < selection[1]) return false
  target.setSelectionRange(...selection)
  return true
}
