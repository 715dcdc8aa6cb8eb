/**
 * The mark for a local date and time, which every reader sees in their own time zone; null if it is not a valid time.
 */
export function timeMark(local: string): string | null {
  const at = new Date(local)
  if (Number.isNaN(at.getTime())) return null
  const two = (number: number) => String(number).padStart(2, '0')
  const offset = -at.getTimezoneOffset()
  const zone =
    offset === 0
      ? 'Z'
      : `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `<time:${date}T${two(at.getHours())}:${two(at.getMinutes())}:00${zone}>`
}
