import { initial } from './0010-initial.ts'
import { objects } from './0020-objects.ts'
import { ownChanges } from './0030-own-changes.ts'
import { unreadSums } from './0040-unread-sums.ts'
import { overwritten } from './0050-overwritten.ts'
import { recentlyActive } from './0060-recently-active.ts'
import { byNewest } from './0070-by-newest.ts'
import { sentAfter } from './0080-sent-after.ts'
import { bySender } from './0090-by-sender.ts'
import { submessages } from './0100-submessages.ts'
import { permissions } from './0110-permissions.ts'
import { media } from './0120-media.ts'
import { details } from './0130-details.ts'
import { directs } from './0140-directs.ts'
import { countedDrafts } from './0150-counted-drafts.ts'
import { wordsJoinedBeside } from './0160-words-joined-beside.ts'
import { vocabulary } from './0170-vocabulary.ts'
import { alerted } from './0180-alerted.ts'
import { readingPlaces } from './0190-reading-places.ts'
import { starredAt } from './0210-starred-at.ts'
import { missing } from './0220-missing.ts'
import { strangers } from './0230-strangers.ts'
import { refusedDrafts } from './0240-refused-drafts.ts'
import { dialect } from './0250-dialect.ts'
import { folderCreators } from './0260-folder-creators.ts'
import { outdatedWords } from './0270-outdated-words.ts'
import { compared } from './0280-compared.ts'
import { serverHeard } from './0290-server-heard.ts'
import { unsavedEdits } from './0300-unsaved-edits.ts'
import { messageChanges } from './0310-message-changes.ts'
import { unreadOnce } from './0320-unread-once.ts'
import { conversationSizes } from './0330-conversation-sizes.ts'
import { unreadCovered } from './0340-unread-covered.ts'
import { wildcardMentions } from './0350-wildcard-mentions.ts'

/** One step from an older schema of the file to a newer one; depends on nothing in today's code. */
export interface Migration {
  /** In tens, rising; becomes the file's `user_version`. */
  readonly number: number
  up(run: (sql: string) => void): void
}

/** All migrations, oldest first. Each runs in its own transaction. */
export const migrations: readonly Migration[] = [
  initial,
  objects,
  ownChanges,
  unreadSums,
  overwritten,
  recentlyActive,
  byNewest,
  sentAfter,
  bySender,
  submessages,
  permissions,
  media,
  details,
  directs,
  countedDrafts,
  wordsJoinedBeside,
  vocabulary,
  alerted,
  readingPlaces,
  starredAt,
  missing,
  strangers,
  refusedDrafts,
  dialect,
  folderCreators,
  outdatedWords,
  compared,
  serverHeard,
  unsavedEdits,
  messageChanges,
  unreadOnce,
  conversationSizes,
  unreadCovered,
  wildcardMentions,
]
