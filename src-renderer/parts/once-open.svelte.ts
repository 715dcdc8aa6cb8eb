/**
 * Whether something is open or was open before. Dialogs and menus are created when they are first wanted: a
 * conversation has many of them, and most are never opened.
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
