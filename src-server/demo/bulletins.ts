import { daySeconds, hourSeconds } from '../../src-shared/durations.ts'
import type { Line } from './script.ts'

/** Half of a lunar day, the time between two high waters, in seconds. */
const tideSeconds = 44_714
/** The time between two spring tides. */
const springSeconds = 14.765 * daySeconds

/** A message of a bot, in a topic. */
export interface Bulletin extends Line {
  readonly channel: string
  readonly topic: string
  readonly sentAt: number
}

const bulletin = (by: string, channel: string, topic: string, sentAt: number, text: string): Bulletin => ({
  by,
  channel,
  topic,
  sentAt,
  text,
  after: 0,
  reactions: [],
  edited: null,
  label: null,
  isStarred: false,
  votes: [],
  done: [],
})

/** High and low waters of a day at Ness, as a table. */
export function tideTable(midnight: number): string {
  const rows: string[] = []
  const half = tideSeconds / 2
  for (let at = Math.ceil(midnight / half) * half; at < midnight + daySeconds; at += half) {
    const isHigh = Math.round(at / half) % 2 === 0
    const range = 1.1 + 0.45 * Math.cos((2 * Math.PI * at) / springSeconds)
    const level = 1.87 + (isHigh ? range : -range)
    const time = new Date(at * 1000).toISOString().slice(11, 16)
    rows.push(`| ${isHigh ? 'high' : 'low'} | ${time} | ${level.toFixed(2)} |`)
  }
  const date = new Date(midnight * 1000).toISOString().slice(0, 10)
  return `Tides at **Ness** on ${date}, UTC, metres above chart datum:\n\n| water | time | level |\n|---|---|---:|\n${rows.join('\n')}`
}

const winds = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW']
const skies = [
  'overcast',
  'sunny spells',
  'showers from the sea',
  'clear',
  'drizzle until noon',
  'high cloud',
]
const hutWeeks = [
  'Yusuf and Nils',
  'Beatriz and Hanne',
  'Odhran and Tomasz',
  'Solveig and Ines',
  'Amaru and Maren',
]

/** The bots' messages of the last year, the newest from this morning. The same for the same chance and time. */
export function bulletins(random: () => number, now: number): Bulletin[] {
  const posts: Bulletin[] = []
  const today = now - (now % daySeconds)
  for (let back = 364; back >= 0; back--) {
    const midnight = today - back * daySeconds
    const weekday = new Date(midnight * 1000).getUTCDay()
    const add = (hours: number, ...rest: [by: string, channel: string, topic: string, text: string]) => {
      const [by, channel, topic, text] = rest
      const sentAt = midnight + hours * hourSeconds
      if (sentAt < now - 1_800) posts.push(bulletin(by, channel, topic, sentAt, text))
    }
    if (weekday === 1 || weekday === 4 || back === 0)
      add(3, 'tidebot', 'tide-gauges', 'tide tables', tideTable(midnight))
    if (weekday === 2 || weekday === 5 || weekday === 0) {
      const force = 2 + Math.floor(random() * 9)
      const from = Math.floor(random() * winds.length)
      const sky = skies[Math.floor(random() * skies.length)] ?? ''
      const turns = winds[(from + 1 + Math.floor(random() * 2)) % winds.length] ?? ''
      const warning = force > 8 ? ' **Small craft stay in.**' : ''
      add(
        4.5,
        'weather',
        'boat-and-safety',
        'weather',
        `**Ness, next 24 h**: wind ${winds[from] ?? ''} ${force} m/s, later ${turns} ${force + 1 + Math.floor(random() * 3)} m/s, swell ${(0.2 + random() * 1.4).toFixed(1)} m, ${sky}. Sea ${4 + Math.floor(random() * 11)} °C.${warning}`,
      )
    }
    if (weekday === 1) {
      const week = Math.floor(midnight / (7 * daySeconds))
      add(
        5,
        'rota',
        'kitchen',
        'hut week',
        `@_*hut-week* Hut week from ${new Date(midnight * 1000).toISOString().slice(0, 10)}: ${hutWeeks[week % hutWeeks.length] ?? ''}. Next in line: ${hutWeeks[(week + 1) % hutWeeks.length] ?? ''}.`,
      )
    }
  }
  return posts
}
