import type { ChannelSummary } from '../../../src-shared/model/channel.ts'
import type { Inbox, InboxDirect, InboxRow } from '../../../src-shared/model/conversation-lists.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** Rows under one channel heading, or direct messages, which have no heading. */
export interface InboxPart {
  readonly channel: ChannelSummary | null
  readonly rows: readonly (InboxRow | InboxDirect)[]
  readonly unreadCount: number
}

/** Rows that fold and are counted together: direct messages, or a folder. */
export interface InboxGroup {
  readonly key: string
  readonly name: string
  readonly parts: readonly InboxPart[]
  readonly unreadCount: number
}

/** The inbox from top to bottom; groups without rows are left out. */
export function inboxGroups({ directs, directUnreadCount, folders }: Inbox): InboxGroup[] {
  return [
    ...(directs.length === 0
      ? []
      : [
          {
            key: 'directs',
            name: t.inbox.directs,
            parts: [{ channel: null, rows: directs, unreadCount: directUnreadCount }],
            unreadCount: directUnreadCount,
          },
        ]),
    ...folders.map(({ key, name, unreadCount, channels }) => ({
      key,
      name,
      parts: channels.map(({ channel, topics, unreadCount: ofChannel }) => ({
        channel,
        rows: topics,
        unreadCount: ofChannel,
      })),
      unreadCount,
    })),
  ]
}

/**
 * The first rows of an inbox, with the headings above them: at most a given number of rows that are not folded. The
 * headings still count all rows.
 */
export function firstLines(
  groups: readonly InboxGroup[],
  isFolded: (key: string) => boolean,
  count: number,
): InboxGroup[] {
  let left = count
  const first: InboxGroup[] = []
  for (const group of groups) {
    if (left <= 0) break
    if (isFolded(group.key)) {
      first.push(group)
      continue
    }
    const parts: InboxPart[] = []
    for (const part of group.parts) {
      if (left <= 0) break
      parts.push({ ...part, rows: part.rows.slice(0, left) })
      left -= part.rows.length
    }
    first.push({ ...group, parts })
  }
  return first
}

// Pixels; rows and headings of compact windows are no taller.
const rowHeight = 36
const headingHeight = 30

/** A number of rows that, with their headings, is certain to fill a height. */
export function rowsWithin(
  groups: readonly InboxGroup[],
  isFolded: (key: string) => boolean,
  height: number,
): number {
  let left = height
  let rows = 0
  for (const group of groups) {
    left -= headingHeight
    if (isFolded(group.key)) continue
    for (const part of group.parts) {
      if (left <= 0) return rows
      if (part.channel !== null) left -= headingHeight
      const fitting = Math.min(part.rows.length, Math.max(1, Math.ceil(left / rowHeight)))
      rows += fitting
      left -= fitting * rowHeight
    }
  }
  return rows
}

/** What a text without markup mentions everybody by. */
const everybody = ['all', 'everyone', 'channel', 'stream', 'topic']

/** Cuts a text at each mention of the name or of everybody; every other piece is a mention. */
export function cutAtMentions(text: string, name: string): string[] {
  const names = name === '' ? everybody : [name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), ...everybody]
  return text.split(new RegExp(`(?<![\\p{L}\\p{N}])(@(?:${names.join('|')}))(?![\\p{L}\\p{N}_-])`, 'u'))
}
