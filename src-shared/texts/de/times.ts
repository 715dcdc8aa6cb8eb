import type { times as en } from '../en/times.ts'

export const times: typeof en = {
  today: (day) => `Heute, ${day}`,
  tomorrow: (day) => `Morgen, ${day}`,
  weekday: (weekday, day) => `${weekday}, ${day}`,
  justToday: 'Heute',
  yesterday: 'Gestern',
  thisMonth: 'dieser Monat',
  shortWeekdays: ['So', 'Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa'],
  shortMonths: [
    'Jan.',
    'Feb.',
    'März',
    'Apr.',
    'Mai',
    'Juni',
    'Juli',
    'Aug.',
    'Sept.',
    'Okt.',
    'Nov.',
    'Dez.',
  ],
  shortDay: (day, month) => `${day}. ${month}`,
  shortDayOfYear: (day, month, year) => `${day}. ${month} ${year}`,
  monthToNow: (month) => `${month} bis jetzt`,
}
