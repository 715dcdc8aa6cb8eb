/** Moments and days, in words. */
export const times = {
  today: (day: string) => `Today, ${day}`,
  tomorrow: (day: string) => `Tomorrow, ${day}`,
  weekday: (weekday: string, day: string) => `${weekday}, ${day}`,
  justToday: 'Today',
  yesterday: 'Yesterday',
  thisMonth: 'this month',
  /** From Sunday on. */
  shortWeekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  shortMonths: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'],
  shortDay: (day: number, month: string) => `${day} ${month}`,
  shortDayOfYear: (day: number, month: string, year: number) => `${day} ${month} ${year}`,
  /** The field for a day and a time. */
  clock: 'time',
  noTime: (one: string, other: string) => `This isn’t a time. Write it as ${one} or ${other}.`,
  openCalendar: 'Choose from a calendar',
  earlierMonth: 'Previous month',
  laterMonth: 'Next month',
  monthToNow: (month: string) => `${month} to now`,
}
