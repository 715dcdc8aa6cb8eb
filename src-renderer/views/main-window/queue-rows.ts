import type { OutboxItem } from '../../../src-shared/bridge/queries.ts'
import { conversationKey } from '../../../src-shared/model/conversation.ts'
import { linkOfFile } from '../../../src-shared/model/outgoing-file.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** What is listed as one row when there are several of it. */
type QueueGroup = keyof typeof t.mainWindow.sync.groups
/** What a row shows by its picture. */
export type QueueKind = QueueGroup | 'message' | 'file' | 'later' | 'snippet'
/** Where a row stands, in the order of calm. */
export type QueueState = keyof typeof t.mainWindow.sync.states

/** One row of what waits: a message, or changes of one kind. */
export interface QueueRow {
  /** Of its first item: the same while that waits. */
  readonly key: string
  readonly kind: QueueKind
  readonly title: string
  readonly state: QueueState
  /** Never empty. */
  readonly items: readonly OutboxItem[]
  /** The conversation that all of it is in; null when it is in several or in none. */
  readonly place: Pick<OutboxItem, 'conversation' | 'label' | 'messageId'> | null
  /** How many conversations it is in, where that is known and more than one; null otherwise. */
  readonly conversationCount: number | null
}

const groups: Readonly<Record<string, QueueGroup>> = {
  react: 'reactions',
  'edit-message': 'edits',
  'delete-message': 'deletions',
  'move-messages': 'moves',
  'mark-read': 'markedRead',
  'mark-unread': 'markedUnread',
  'star-message': 'stars',
  'set-topic-visibility': 'topics',
  subscribe: 'channels',
  unsubscribe: 'channels',
  'set-subscription': 'channels',
  'update-setting': 'settings',
}

/** What is listed by itself, whatever else waits. */
const single: Readonly<Record<string, QueueKind>> = {
  'send-message': 'message',
  'schedule-message': 'later',
  'edit-scheduled': 'later',
  'save-snippet': 'snippet',
  'change-snippet': 'snippet',
  'delete-snippet': 'snippet',
}

const hasFile = (text: string | null) =>
  text !== null && (text.includes('](/user_uploads/') || text.search(linkOfFile) >= 0)

function kindOf({ action, contentMarkdown }: OutboxItem): QueueKind {
  const kind = single[action]
  if (kind === undefined) return groups[action] ?? 'others'
  return kind === 'message' && hasFile(contentMarkdown) ? 'file' : kind
}

const isGroup = (kind: QueueKind): kind is QueueGroup => Object.hasOwn(t.mainWindow.sync.groups, kind)

/** Where an item stands, in a word. */
function queueState(
  { state: { state, reason, attempts, isBehindAnother } }: OutboxItem,
  isAway: boolean,
): QueueState {
  if (state === 'refused') return 'needsYou'
  if (state === 'unsure') return reason === 'undecided' ? 'needsYou' : 'checking'
  if (state === 'waiting') return attempts > 0 && !isBehindAnother && !isAway ? 'trying' : 'queued'
  return 'trying'
}

/** The state of several: what is under way tells of all. */
const joined = (a: QueueState, b: QueueState): QueueState => (a === 'queued' ? b : a)

/**
 * What waits, in the order in which it is sent, changes that are made silently in one row for each kind, and last what
 * does not go on without the person. `isAway`: the server does not answer, so that nothing is tried but now and then.
 */
export function queueRows(items: readonly OutboxItem[], isAway: boolean): QueueRow[] {
  const rows: QueueRow[] = []
  const blocked: QueueRow[] = []
  /** Where the row of a kind is. */
  const places = new Map<QueueKind, number>()
  for (const item of items) {
    const [kind, state] = [kindOf(item), queueState(item, isAway)]
    const at = isGroup(kind) && state !== 'needsYou' ? places.get(kind) : undefined
    const before = at === undefined ? undefined : rows[at]
    if (state === 'needsYou') blocked.push(rowOf(item, [], kind, state))
    else if (at !== undefined && before !== undefined)
      rows[at] = rowOf(
        before.items[0] ?? item,
        [...before.items.slice(1), item],
        kind,
        joined(before.state, state),
      )
    else {
      places.set(kind, rows.length)
      rows.push(rowOf(item, [], kind, state))
    }
  }
  return [...rows, ...blocked]
}

function rowOf(
  first: OutboxItem,
  others: readonly OutboxItem[],
  kind: QueueKind,
  state: QueueState,
): QueueRow {
  const items = [first, ...others]
  const keys = new Set(
    items.map(({ conversation }) => (conversation === null ? null : conversationKey(conversation))),
  )
  const isKnown = !keys.has(null)
  const total = items.reduce((sum, { count }) => sum + count, 0)
  return {
    key: first.localId,
    kind,
    state,
    items,
    title: others.length > 0 && isGroup(kind) ? t.mainWindow.sync.groups[kind](total) : first.title,
    place: isKnown && keys.size === 1 ? first : null,
    conversationCount: isKnown && keys.size > 1 ? keys.size : null,
  }
}
