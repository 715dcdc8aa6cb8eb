/** Moments and days, in words. */
export const times = {
  today: (day: string) => `Today, ${day}`,
  justToday: 'Today',
  yesterday: 'Yesterday',
  thisMonth: 'this month',
  monthToNow: (month: string) => `${month} to now`,
}
