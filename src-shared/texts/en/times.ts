/** Moments and days, in words. */
export const times = {
  today: (day: string) => `Today, ${day}`,
  tomorrow: (day: string) => `Tomorrow, ${day}`,
  weekday: (weekday: string, day: string) => `${weekday}, ${day}`,
  justToday: 'Today',
  yesterday: 'Yesterday',
  thisMonth: 'this month',
  monthToNow: (month: string) => `${month} to now`,
}
