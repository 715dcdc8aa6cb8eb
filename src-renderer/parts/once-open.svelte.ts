/**
 * Whether something is open or was before. What opens over the window is made when it is wanted for the first time: a
 * conversation has many such things, and most of them are never opened.
 */
export function onceOpen(isOpen: () => boolean): { readonly current: boolean } {
  let was = false
  const current = $derived((was ||= isOpen()))
  return {
    get current() {
      return current
    },
  }
}
