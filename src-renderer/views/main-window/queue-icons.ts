import Bell from '@lucide/svelte/icons/bell'
import CalendarClock from '@lucide/svelte/icons/calendar-clock'
import CheckCheck from '@lucide/svelte/icons/check-check'
import FolderInput from '@lucide/svelte/icons/folder-input'
import Hash from '@lucide/svelte/icons/hash'
import MessageSquare from '@lucide/svelte/icons/message-square'
import MessageSquareX from '@lucide/svelte/icons/message-square-x'
import NotebookText from '@lucide/svelte/icons/notebook-text'
import Paperclip from '@lucide/svelte/icons/paperclip'
import Pencil from '@lucide/svelte/icons/pencil'
import RefreshCw from '@lucide/svelte/icons/refresh-cw'
import Settings from '@lucide/svelte/icons/settings'
import SmilePlus from '@lucide/svelte/icons/smile-plus'
import Star from '@lucide/svelte/icons/star'
import Trash from '@lucide/svelte/icons/trash-2'
import type { QueueRow } from './queue-rows.ts'

const icons = {
  message: MessageSquare,
  file: Paperclip,
  later: CalendarClock,
  snippet: NotebookText,
  reactions: SmilePlus,
  edits: Pencil,
  deletions: Trash,
  moves: FolderInput,
  markedRead: CheckCheck,
  markedUnread: CheckCheck,
  stars: Star,
  topics: Bell,
  channels: Hash,
  settings: Settings,
  others: RefreshCw,
} as const

/** The icon of a row of the queue. */
export const queueIcons = ({ kind, state }: Pick<QueueRow, 'kind' | 'state'>) =>
  kind === 'message' && state === 'needsYou' ? MessageSquareX : icons[kind]
