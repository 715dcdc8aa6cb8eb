/**
 * A moment (epoch milliseconds) as the value of a date and time field: "2026-05-12T09:00", in the reader's time zone.
 */
export function localMoment(at: number): string {
  const date = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The next full hour as such a value; the one after it if the next is less than a quarter of an hour away. */
export function nextFullHour(now: number): string {
  const next = new Date(now + 75 * 60_000 - 1)
  next.setMinutes(0)
  return localMoment(next.getTime())
}
