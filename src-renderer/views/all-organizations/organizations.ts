import type { AccountSettings } from '../../../src-shared/bridge/queries.ts'
import type { Sidebar } from '../../../src-shared/model/sidebar.ts'
import type { Account, SyncState } from '../../../src-shared/model/account.ts'
import type { AllPage } from '../../state/navigation/route.svelte.ts'
import { needsYou, plain, unread, type Count } from '../sidebar/row-count.ts'

/** An account with what every page over all organizations needs to know of it; undefined while unknown. */
export interface OrganizationFacts {
  readonly account: Account
  readonly sync: SyncState | undefined
  readonly settings:
    | Pick<
        AccountSettings,
        'starredCounts' | 'ownFullName' | 'ownAvatarUrl' | 'maxMessageLength' | 'emojiSet'
      >
    | undefined
  readonly counts: Sidebar | undefined
}

/** What a page over all organizations is given. */
export interface AllPageProps {
  readonly page: AllPage
  readonly organizations: readonly OrganizationFacts[]
  /** The same for all rows, so that their times can be compared. */
  readonly uses24HourClock: boolean
}

/** The numbers beside the pages, summed over all organizations by the rules that each one's own sidebar has. */
export function pageCounts(organizations: readonly OrganizationFacts[]): {
  readonly [P in AllPage]: Count | null
} {
  const sum = (of: (organization: OrganizationFacts) => number | undefined) =>
    organizations.reduce((all, organization) => all + (of(organization) ?? 0), 0)
  const waiting = sum(({ counts }) => counts?.needsYouCount)
  return {
    inbox: unread(sum(({ account }) => account.unreadCount)),
    recent: null,
    mentions: unread(
      sum(({ counts }) => counts?.mentionCount),
      'at',
    ),
    starred: plain(
      sum(({ settings, counts }) => (settings?.starredCounts === false ? 0 : counts?.starredCount)),
    ),
    drafts:
      waiting > 0
        ? needsYou(waiting)
        : plain(sum(({ counts }) => (counts === undefined ? 0 : counts.draftCount + counts.outboxCount))),
    scheduled: plain(sum(({ counts }) => counts?.scheduledCount)),
  }
}
