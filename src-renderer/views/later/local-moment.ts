/** A moment, epoch milliseconds, as a field for a date and a clock time has it: "2026-05-12T09:00", the reader's zone. */
export function localMoment(at: number): string {
  const date = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}
