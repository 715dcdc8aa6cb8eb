import type { times as en } from '../en/times.ts'

export const times: typeof en = {
  today: (day) => `Heute, ${day}`,
  tomorrow: (day) => `Morgen, ${day}`,
  weekday: (weekday, day) => `${weekday}, ${day}`,
  justToday: 'Heute',
  yesterday: 'Gestern',
  thisMonth: 'dieser Monat',
  monthToNow: (month) => `${month} bis jetzt`,
}
