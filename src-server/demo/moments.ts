const minute = 60
const hour = 60 * minute
const day = 24 * hour
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const units: Readonly<Record<string, number>> = { m: minute, h: hour, d: day }

const startOfDay = (at: number) => at - (at % day)
const weekdayOf = (at: number) => new Date(at * 1000).getUTCDay()
const timeOfDay = (text: string) => {
  const [hours = '', minutes = ''] = text.split(':')
  return Number(hours) * hour + Number(minutes) * minute
}

/** UNIX seconds of a past moment in the notation of `Thread.ends`. Throws on anything else. */
export function pastMoment(text: string, now: number): number {
  const [first = '', time] = text.split(' ')
  const age = /^(\d+)([mhd])$/.exec(first)
  if (age !== null) {
    const seconds = Number(age[1]) * (units[age[2] ?? ''] ?? 0)
    return time === undefined ? now - seconds : startOfDay(now - seconds) + timeOfDay(time)
  }
  if (time === undefined) throw new Error(`not a moment: ${text}`)
  const weekday = weekdays.indexOf(first)
  if (weekday >= 0) {
    const at = startOfDay(now) - ((weekdayOf(now) - weekday + 7) % 7) * day + timeOfDay(time)
    return at < now ? at : at - 7 * day
  }
  const date = /^(\d\d)-(\d\d)$/.exec(first)
  if (date === null) throw new Error(`not a moment: ${text}`)
  const year = new Date(now * 1000).getUTCFullYear()
  const inYear = (which: number) =>
    Date.UTC(which, Number(date[1]) - 1, Number(date[2])) / 1000 + timeOfDay(time)
  return inYear(year) < now ? inYear(year) : inYear(year - 1)
}

const timeMark = /<time:(?:\+(\d+)([hd])|([a-z]{3}) (\d{1,2}:\d\d))>/g

/** Converts `<time:+5h>` and `<time:thu 11:40>` to times that the service knows, relative to the time of writing. */
export function withTimes(text: string, sentAt: number): string {
  return text.replaceAll(timeMark, (_, count?: string, unit?: string, weekday?: string, time?: string) => {
    const at =
      count === undefined
        ? pastMoment(`${weekday} ${time}`, sentAt) + 7 * day
        : Math.ceil((sentAt + Number(count) * (units[unit ?? ''] ?? 0)) / (10 * minute)) * 10 * minute
    return `<time:${new Date(at * 1000).toISOString().replace('.000Z', 'Z')}>`
  })
}
