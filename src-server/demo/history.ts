import { minuteSeconds } from '../../src-shared/durations.ts'
import { seeded } from './chance.ts'
import { bulletins } from './bulletins.ts'
import { channels } from './channels.ts'
import { chatter, subjects } from './chatter/index.ts'
import { threads } from './conversations/index.ts'
import { pastMoment } from './moments.ts'
import { parseScript, type Line } from './script.ts'

const seed = 20_261_121
const messageCount = 5_250

/** A message of the demo workspace before it is written. */
export interface PlannedMessage extends Line {
  readonly sentAt: number
  /** A topic, or the keys of people. */
  readonly in: readonly [channel: string, topic: string] | { readonly people: string }
  /** Whether Maren has not read it. */
  readonly isUnread: boolean
}

/** A year of a small group's messages up to `now` (UNIX seconds), oldest first; the same for the same `now`. */
export function plannedHistory(now: number): PlannedMessage[] {
  const written = threads.flatMap((thread): PlannedMessage[] => {
    const lines = parseScript(thread.script)
    const ends = pastMoment(thread.ends, now)
    const minutes = lines.reduce((sum, line) => sum + line.after, 0)
    let sentAt = ends - minutes * minuteSeconds
    return lines.map((line, index) => {
      sentAt += line.after * minuteSeconds
      return {
        ...line,
        in: thread.in,
        // People who write within the same minute do so one after another.
        sentAt: sentAt - Math.max(0, lines.length - 1 - index),
        isUnread: index >= lines.length - (thread.unread ?? 0),
      }
    })
  })
  const posts = bulletins(seeded(seed), now)
  const said = new Map<string, number>()
  for (const { text } of [...written, ...posts]) said.set(text, (said.get(text) ?? 0) + 1)
  const count = messageCount - written.length - posts.length
  const talked = [...posts, ...chatter(subjects, channels, { count, now, seed, said })].map(
    ({ channel, topic, ...line }): PlannedMessage => ({ ...line, in: [channel, topic], isUnread: false }),
  )
  return [...written, ...talked].sort((a, b) => a.sentAt - b.sentAt)
}
