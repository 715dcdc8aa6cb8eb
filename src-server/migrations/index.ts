import { initial } from './0010-initial.ts'
import { belongings } from './0030-belongings.ts'
import { permissions } from './0040-permissions.ts'
import { directMembers } from './0050-direct-members.ts'
import { accounts } from './0060-accounts.ts'
import { attachments } from './0070-attachments.ts'
import { later } from './0080-later.ts'
import { profiles } from './0090-profiles.ts'
import { bots } from './0100-bots.ts'
import { indexes } from './0110-indexes.ts'
import { resumable } from './0120-resumable.ts'
import { counts } from './0130-counts.ts'
import { presence } from './0140-presence.ts'
import { hiddenAddresses } from './0150-hidden-addresses.ts'
import { navigationViews } from './0160-navigation-views.ts'
import { domains } from './0170-domains.ts'
import { defaultChannelGroups } from './0180-default-channel-groups.ts'
import { exports } from './0190-exports.ts'
import { animatedEmoji } from './0200-animated-emoji.ts'
import { invitationsByMail } from './0210-invitations-by-mail.ts'
import { defaultSettings } from './0220-default-settings.ts'
import { keptQueues } from './0230-kept-queues.ts'
import { botStorage } from './0240-bot-storage.ts'
import { lastPieces } from './0250-last-pieces.ts'
import { rowsOfMessages } from './0260-rows-of-messages.ts'
import { snippetIds } from './0270-snippet-ids.ts'

/** The schema's history, in order: each step with its number, which the file stores. */
export const migrations: readonly (readonly [number: number, sql: string])[] = [
  [10, initial],
  [30, belongings],
  [40, permissions],
  [50, directMembers],
  [60, accounts],
  [70, attachments],
  [80, later],
  [90, profiles],
  [100, bots],
  [110, indexes],
  [120, resumable],
  [130, counts],
  [140, presence],
  [150, hiddenAddresses],
  [160, navigationViews],
  [170, domains],
  [180, defaultChannelGroups],
  [190, exports],
  [200, animatedEmoji],
  [210, invitationsByMail],
  [220, defaultSettings],
  [230, keptQueues],
  [240, botStorage],
  [250, lastPieces],
  [260, rowsOfMessages],
  [270, snippetIds],
]
