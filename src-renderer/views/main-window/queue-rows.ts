import type { ActionName } from '../../../src-shared/bridge/actions.ts'
import type { OutboxItem } from '../../../src-shared/bridge/queries.ts'
import { conversationKey } from '../../../src-shared/model/conversation.ts'
import { linkOfFile } from '../../../src-shared/model/outgoing-file.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { isStuck } from '../../../src-shared/model/outbox.ts'

/** Kinds of changes that share one row if there are several. */
type QueueGroup = keyof typeof t.mainWindow.sync.groups
/** The kind of a row, shown by its icon. The others have a row of their own. */
export type QueueKind = QueueGroup | 'message' | 'file' | 'later' | 'snippet'
/** The state of a row, from calm to urgent. */
export type QueueState = keyof typeof t.mainWindow.sync.states

/** One row of the queue: a message, or changes of one kind. */
export interface QueueRow {
  /** The key of its first item, which stays the same while that item waits. */
  readonly key: string
  readonly kind: QueueKind
  readonly title: string
  readonly state: QueueState
  /** Never empty. */
  readonly items: readonly OutboxItem[]
  /** The conversation of all its items; null if they are in several conversations or in none. */
  readonly place: Pick<OutboxItem, 'conversation' | 'label' | 'messageId'> | null
  /** The number of its conversations, if known and more than one; null otherwise. */
  readonly conversationCount: number | null
}

const kinds: Readonly<Record<ActionName, QueueKind>> = {
  'send-message': 'message',
  'edit-message': 'edits',
  'delete-message': 'deletions',
  'move-messages': 'moves',
  react: 'reactions',
  'star-message': 'stars',
  'collapse-message': 'others',
  'mark-read': 'markedRead',
  'mark-unread': 'markedUnread',
  'mark-narrow-read': 'others',
  'set-topic-visibility': 'topics',
  subscribe: 'channels',
  unsubscribe: 'channels',
  'set-subscription': 'channels',
  'schedule-message': 'later',
  'cancel-scheduled': 'later',
  'edit-scheduled': 'later',
  'save-snippet': 'snippet',
  'change-snippet': 'snippet',
  'delete-snippet': 'snippet',
  'widget-step': 'others',
  'report-message': 'others',
  'remind-me': 'others',
  'change-reminder': 'others',
  'mute-person': 'others',
  'set-alert-word': 'others',
  'set-status': 'others',
  'set-own-name': 'others',
  'set-profile-field': 'others',
  'update-setting': 'settings',
  'create-group': 'others',
  'set-group-member': 'others',
  'change-group': 'others',
  'create-folder': 'others',
  'change-folder': 'others',
  'order-folders': 'others',
  'create-channel': 'others',
  'set-channel-member': 'others',
  'change-channel': 'others',
}

const hasFile = (text: string | null) =>
  text !== null && (text.includes('](/user_uploads/') || text.search(linkOfFile) >= 0)

function kindOf({ action, contentMarkdown }: OutboxItem): QueueKind {
  const kind = action === null ? 'others' : kinds[action]
  return kind === 'message' && hasFile(contentMarkdown) ? 'file' : kind
}

const isGroup = (kind: QueueKind): kind is QueueGroup => Object.hasOwn(t.mainWindow.sync.groups, kind)

/** The state of an item, in one word. */
function queueState({ state: send }: OutboxItem, isAway: boolean): QueueState {
  const { state, attempts, isBehindAnother } = send
  if (isStuck(send)) return 'needsYou'
  if (state === 'unsure') return isAway ? 'queued' : 'checking'
  if (state === 'waiting') return attempts > 0 && !isBehindAnother && !isAway ? 'trying' : 'queued'
  return 'trying'
}

/** The state of several items: one that is in progress counts for all. */
const joined = (a: QueueState, b: QueueState): QueueState => (a === 'queued' ? b : a)

/**
 * The rows of the queue in sending order. Changes that the person does not watch share one row per kind. Rows that need
 * the person come last. `isAway`: the server does not answer, so that there are only occasional attempts.
 */
export function queueRows(items: readonly OutboxItem[], isAway: boolean): QueueRow[] {
  const rows: QueueRow[] = []
  const blocked: QueueRow[] = []
  /** The index of each kind's row. */
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
