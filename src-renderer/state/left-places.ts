import type { AccountId } from '../../src-shared/ids.ts'
import { isResting } from './resting-focus.ts'
import { route } from './route.svelte.ts'
import { lastKeptPlace, stateWithPlace } from './scroll-place.ts'

/** How an organization was when the person went to another one. */
interface LeftPlace {
  readonly address: string
  /** What the window's history keeps of that place. */
  readonly state: unknown
  /** How far the list in the sheet was scrolled, pixels. */
  readonly scrollTop: number
  /** Finds what had the focus in the sheet; null for nothing in particular. */
  readonly focus: string | null
  /** What was selected there, for a field. */
  readonly selection: readonly [number, number] | null
}

const left = new Map<string, LeftPlace>()
/** For so many pictures it is waited for what had the focus. */
const framesAtMost = 60

const sheet = () => document.querySelector<HTMLElement>('main.sheet')
/** What scrolls in a page that is a list. */
const lists = '.ibx, .page'

/** A selector that finds the element when the place is shown again; null where none does. */
function wayTo(element: Element | null): string | null {
  if (element === null || isResting(element) || sheet()?.contains(element) !== true) return null
  if (element instanceof HTMLTextAreaElement && element.closest('.cmp') !== null) return '.cmp textarea'
  const row = element.closest<HTMLElement>('[data-row]')?.dataset['row']
  if (row !== undefined) return `[data-row="${CSS.escape(row)}"]`
  const address = element.closest('a')?.getAttribute('href')
  return address == null ? null : `a[href="${CSS.escape(address)}"]`
}

/** The element in the sheet that had the focus last: who presses something beside it has left it already. */
let lastInSheet: Element | null = null

/** Notes how the place is that the window goes away from; what is drawn is still that. */
function note(event: HashChangeEvent): void {
  const { current } = route
  const address = event.oldURL === '' ? '' : new URL(event.oldURL).hash
  if (
    current === null ||
    !('accountId' in current) ||
    address === '' ||
    location.hash.startsWith(`#/${current.accountId}/`)
  )
    return
  const field = lastInSheet instanceof HTMLTextAreaElement ? lastInSheet : null
  left.set(current.accountId, {
    address,
    state: stateWithPlace(lastKeptPlace(address)),
    scrollTop: sheet()?.querySelector(lists)?.scrollTop ?? 0,
    focus: wayTo(lastInSheet),
    selection: field === null ? null : [field.selectionStart, field.selectionEnd],
  })
}

/** Begins to note how places are left. */
export function followLeaving(): () => void {
  const noteFocus = ({ target }: FocusEvent) => {
    if (target instanceof Element && sheet()?.contains(target) === true) lastInSheet = target
  }
  addEventListener('focusin', noteFocus)
  const stop = route.beforeChange(note)
  return () => {
    removeEventListener('focusin', noteFocus)
    stop()
  }
}

/** Goes to an organization: to where the person was in it, as that was, else to its inbox. */
export function goToOrganization(accountId: AccountId): void {
  const place = left.get(accountId)
  if (place === undefined) {
    route.go({ view: 'inbox', accountId })
    return
  }
  const oldURL = location.href
  history.pushState(place.state, '', place.address)
  dispatchEvent(new HashChangeEvent('hashchange', { oldURL, newURL: location.href }))
  restore(place, framesAtMost)
}

/** As soon as it is drawn, unless the person has gone on meanwhile. */
function restore(place: LeftPlace, frames: number): void {
  requestAnimationFrame(() => {
    if (location.hash !== place.address) return
    const list = sheet()?.querySelector(lists) ?? null
    let isFocused = place.focus === null
    const isLong = list !== null && list.scrollHeight - list.clientHeight >= place.scrollTop
    if (isLong && place.scrollTop > 0) list.scrollTop = place.scrollTop
    const target = place.focus === null ? null : (sheet()?.querySelector<HTMLElement>(place.focus) ?? null)
    if (target !== null && (isResting(document.activeElement) || document.activeElement === target))
      isFocused = focusOn(target, place.selection)
    const isDone = (isLong || place.scrollTop === 0) && isFocused
    if (!isDone && frames > 0) restore(place, frames - 1)
  })
}

/** Whether it has the focus, and its text is there to be selected. */
function focusOn(target: HTMLElement, selection: LeftPlace['selection']): boolean {
  target.focus({ preventScroll: true })
  if (selection === null || !(target instanceof HTMLTextAreaElement)) return true
  if (target.value.length < selection[1]) return false
  target.setSelectionRange(...selection)
  return true
}
