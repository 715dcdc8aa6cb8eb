import type { Handlers } from '../../src-shared/api/index.ts'
import { accounts } from './accounts.ts'
import { belongings } from './belongings.ts'
import { botStorage } from './bot-storage.ts'
import { channelFolders } from './channel-folders.ts'
import { channels } from './channels.ts'
import type { HandlerContext } from './context.ts'
import { defaultSettings } from './default-settings.ts'
import { defaultChannelGroups } from './default-channel-groups.ts'
import { drafts } from './drafts.ts'
import { editTyping } from './edit-typing.ts'
import { exports } from './exports.ts'
import { flags } from './flags.ts'
import { invitations } from './invitations.ts'
import { messages } from './messages.ts'
import { organizationPictures } from './organization-pictures.ts'
import { organization } from './organization.ts'
import { queue } from './queue.ts'
import { reading } from './reading.ts'
import { session } from './session.ts'
import { settings } from './settings.ts'
import { subscriptions } from './subscriptions.ts'
import { topicPolicies } from './topic-policies.ts'
import { userGroups } from './user-groups.ts'
import { users } from './users.ts'

/** Every endpoint's handler by name; a missing handler does not compile. */
export const handlers: Handlers<HandlerContext> = {
  ...session,
  ...queue,
  ...reading,
  ...messages,
  ...flags,
  ...drafts,
  ...users,
  ...editTyping,
  ...channels,
  ...settings,
  ...defaultSettings,
  ...belongings,
  ...subscriptions,
  ...topicPolicies,
  ...userGroups,
  ...accounts,
  ...organization,
  ...organizationPictures,
  ...invitations,
  ...channelFolders,
  ...defaultChannelGroups,
  ...exports,
  ...botStorage,
}
