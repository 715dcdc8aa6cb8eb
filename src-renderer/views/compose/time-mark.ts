import { localMoment } from '../../state/appearance/local-moment.ts'
import { twoDigits } from '../../time.ts'

/**
 * The mark for a local date and time, which every reader sees in their own time zone; null if it is not a valid time.
 */
export function timeMark(local: string): string | null {
  const at = new Date(local)
  if (Number.isNaN(at.getTime())) return null
  const offset = -at.getTimezoneOffset()
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const zone = offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(minutes)}`
  return `<time:${localMoment(at.getTime())}:00${zone}>`
}
