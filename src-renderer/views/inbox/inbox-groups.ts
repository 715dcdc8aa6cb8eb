import type { ChannelSummary, Inbox, InboxDirect, InboxRow } from '../../../src-shared/bridge/queries.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** Rows under one channel heading, or direct messages without one. */
export interface InboxPart {
  readonly channel: ChannelSummary | null
  readonly rows: readonly (InboxRow | InboxDirect)[]
  readonly unreadCount: number
}

/** What is folded up and counted together: direct messages, or a folder. */
export interface InboxGroup {
  readonly key: string
  readonly name: string
  readonly parts: readonly InboxPart[]
  readonly unreadCount: number
}

const sum = (all: readonly { readonly unreadCount: number }[]) =>
  all.reduce((total, { unreadCount }) => total + unreadCount, 0)

/** The inbox as it is read from top to bottom; groups without rows are left out. */
export function inboxGroups({ directs, folders }: Inbox): InboxGroup[] {
  const group = (key: string, name: string, parts: readonly InboxPart[]): InboxGroup => ({
    key,
    name,
    parts,
    unreadCount: sum(parts),
  })
  return [
    ...(directs.length === 0
      ? []
      : [group('directs', t.inbox.directs, [{ channel: null, rows: directs, unreadCount: sum(directs) }])]),
    ...folders.map(({ key, name, channels }) =>
      group(
        key,
        name,
        channels.map(({ channel, topics }) => ({ channel, rows: topics, unreadCount: sum(topics) })),
      ),
    ),
  ]
}

/**
 * The first rows of an inbox, with the headings above them: at most so many that are not folded up. What the headings
 * count is still all of it.
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

/** A text cut around each place where the name is mentioned, those places being every other piece. */
export const cutAtMentions = (text: string, name: string): string[] => {
  const mention = `@${name}`
  return name === ''
    ? [text]
    : text.split(mention).flatMap((piece, index) => (index === 0 ? [piece] : [mention, piece]))
}
