import AtSign from '@lucide/svelte/icons/at-sign'
import CalendarClock from '@lucide/svelte/icons/calendar-clock'
import FilePenLine from '@lucide/svelte/icons/file-pen-line'
import History from '@lucide/svelte/icons/history'
import Inbox from '@lucide/svelte/icons/inbox'
import Star from '@lucide/svelte/icons/star'

/** The icon of each page over all organizations: that of the same view within one. */
export const pageIcons = {
  inbox: Inbox,
  recent: History,
  mentions: AtSign,
  starred: Star,
  drafts: FilePenLine,
  scheduled: CalendarClock,
} as const
