import { createSubscriber } from 'svelte/reactivity'

const stepMs = 5_000

/** The day and the time zone at present; formatting a date by name would take longer. */
function dayKey(): string {
  const now = new Date()
  return `${now.getFullYear()} ${now.getMonth()} ${now.getDate()} ${now.getTimezoneOffset()}`
}

// Looked at every few seconds instead of waiting for midnight: a machine that slept wakes later than it was told, and a
// reader who travels has midnight at another time.
const day = createSubscriber((update) => {
  let shown = dayKey()
  const look = () => {
    const now = dayKey()
    if (now === shown) return
    shown = now
    update()
  }
  const timer = setInterval(look, stepMs)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
  }
})

/**
 * The present moment in epoch milliseconds, for words like "today". When another day or time zone begins, everything
 * derived from it is updated; nothing is updated for less than that.
 */
export function nowForDays(): number {
  day()
  return Date.now()
}

const steps = createSubscriber((update) => {
  const timer = setInterval(update, stepMs)
  return () => clearInterval(timer)
})

/**
 * The present moment in epoch milliseconds, for times of day and durations. Everything derived from it is updated every
 * few seconds.
 */
export function nowForMinutes(): number {
  steps()
  return Date.now()
}
