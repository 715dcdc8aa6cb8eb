import type { Feed } from '../../src-shared/model/feed.ts'
import { isProvisional, messageId } from '../../src-shared/ids.ts'
import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import { isSubscribed } from '../store/channels.ts'
import type { ReadableDb } from '../store/database.ts'
import { isLimitedFrom } from '../store/history-limits.ts'
import { receivedFrom } from '../store/received-from.ts'
import { rangesOfSeveral, type Range } from '../store/ranges.ts'

/** What lies beyond the window's edges, derived from the known ranges of history. */
export function edgesOf(
  db: ReadableDb,
  narrow: Narrow,
  rows: readonly { readonly message_id: number }[],
  hasOlder: boolean,
  hasNewer: boolean,
): Pick<Feed, 'before' | 'after' | 'gapsAfter'> {
  const first = rows[0]?.message_id
  const last = rows.at(-1)?.message_id
  const ranges = stretchesFor(db, narrow)
  const holdsFirst = ({ oldestId, newestId, isLive: isNewest }: Range) =>
    first === undefined ? isNewest : oldestId <= first && first <= newestId
  // Where a wider narrow is limited, this one may have begun later: only its own pages tell.
  const own = narrowKey(narrow)
  const oldestOwn = ranges.find((range) => range.narrowKey === own && holdsFirst(range))?.oldestId ?? first
  const beyond = ranges.some((range) => range.reachesBeginning && holdsFirst(range))
    ? 'beginning'
    : oldestOwn !== undefined && isLimitedFrom(db, own, oldestOwn)
      ? 'limited'
      : 'on-server'
  const isLive = (id: number | undefined) =>
    ranges.some((range) => range.isLive && (id === undefined || range.oldestId <= id))
  // While a page is being written there are two gaps: before the part that is here, and after it.
  const gapsAfter = rows.slice(1).flatMap(({ message_id: right }, index) => {
    const left = rows[index]?.message_id ?? 0
    const isKnown = ranges.some((range) => range.oldestId <= left && right <= range.newestId)
    return isKnown ? [] : [messageId(left)]
  })
  return {
    before: hasOlder ? 'here' : beyond,
    after: hasNewer ? 'here' : isLive(last) ? 'end' : 'on-server',
    gapsAfter,
  }
}

type KeyedRange = ReturnType<typeof rangesOfSeveral>[number]

/** The complete ranges of a narrow: its own, and those of the narrows that contain it. */
function stretchesFor(db: ReadableDb, narrow: Narrow): KeyedRange[] {
  const own = narrowKey(narrow)
  switch (narrow.kind) {
    case 'combined':
      return db.remembered('combined-ranges', () => rangesOfSeveral(db, [own]))
    case 'mentions':
    case 'directs':
    case 'starred':
    case 'reactions':
      return rangesOfSeveral(db, [own, 'combined'])
    case 'direct':
      return rangesOfSeveral(db, [own, 'directs', 'combined'])
    case 'channel':
      return inChannel(db, [own, 'combined'], narrow.channelId)
    case 'topic':
      return inChannel(db, [own, `channel:${narrow.channelId}`, 'combined'], narrow.channelId)
  }
}

/**
 * The complete ranges of a channel or topic. The combined history has only what was sent while the person was
 * subscribed. So it never shows where a channel or topic begins, and its ranges count only for a channel that the person
 * is in, and from where they received all of it.
 */
function inChannel(db: ReadableDb, narrowKeys: readonly string[], channelId: number): KeyedRange[] {
  if (isProvisional(channelId)) return [nothingYet]
  const from = isSubscribed(db, channelId) ? receivedFrom(db, channelId) : null
  return rangesOfSeveral(db, narrowKeys).flatMap((range) => {
    if (range.narrowKey !== 'combined') return [range]
    if (from === null || from > range.newestId) return []
    const oldestId = Math.max(range.oldestId, from)
    return [{ ...range, oldestId, reachesBeginning: false }]
  })
}

/** The range of a channel that only this device knows: nobody has written in it. */
const nothingYet: KeyedRange = {
  narrowKey: '',
  oldestId: 0,
  newestId: 0,
  reachesBeginning: true,
  isLive: true,
}
