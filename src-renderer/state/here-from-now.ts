import { route } from './navigation/route.svelte.ts'

/** Whether the focus is in a field in which the person types. */
const isInField = () => document.activeElement?.matches('input, textarea, [contenteditable]') === true

/**
 * Returns how to ask whether the person is still here, in the same place and typing nowhere: something that comes late
 * leads nobody away, and takes the focus from nobody.
 */
export function hereFromNow(): () => boolean {
  const place = route.current
  return () => route.current === place && !isInField()
}
