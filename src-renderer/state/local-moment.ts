/** A moment, epoch milliseconds, as a field for a date and a clock time has it: "2026-05-12T09:00", the reader's zone. */
export function localMoment(at: number): string {
  const date = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The full hour that comes next, as such a field has it; the one after it when that one is less than a quarter away. */
export function nextFullHour(now: number): string {
  const next = new Date(now + 75 * 60_000 - 1)
  next.setMinutes(0)
  return localMoment(next.getTime())
}
