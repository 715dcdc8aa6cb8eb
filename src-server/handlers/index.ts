import type { Handlers } from '../../src-shared/api/index.ts'
import { accounts } from './accounts.ts'
import { alertWords } from './alert-words.ts'
import { botStorage } from './bot-storage.ts'
import { bots } from './bots.ts'
import { channelFolders } from './channel-folders.ts'
import { channels } from './channels.ts'
import type { HandlerContext } from './context.ts'
import { customEmoji } from './custom-emoji.ts'
import { defaultChannelGroups } from './default-channel-groups.ts'
import { defaultSettings } from './default-settings.ts'
import { domains } from './domains.ts'
import { drafts } from './drafts.ts'
import { editTyping } from './edit-typing.ts'
import { exports } from './exports.ts'
import { flags } from './flags.ts'
import { invitations } from './invitations.ts'
import { later } from './later.ts'
import { linkifiers } from './linkifiers.ts'
import { messages } from './messages.ts'
import { mobilePush } from './mobile-push.ts'
import { mutedUsers } from './muted-users.ts'
import { navigationViews } from './navigation-views.ts'
import { organizationPictures } from './organization-pictures.ts'
import { organization } from './organization.ts'
import { presence } from './presence.ts'
import { profileFields } from './profile-fields.ts'
import { queue } from './queue.ts'
import { reading } from './reading.ts'
import { session } from './session.ts'
import { settings } from './settings.ts'
import { snippets } from './snippets.ts'
import { status } from './status.ts'
import { submessages } from './submessages.ts'
import { subscriptions } from './subscriptions.ts'
import { topicPolicies } from './topic-policies.ts'
import { uploads } from './uploads.ts'
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
  ...snippets,
  ...linkifiers,
  ...domains,
  ...presence,
  ...status,
  ...alertWords,
  ...mutedUsers,
  ...mobilePush,
  ...navigationViews,
  ...uploads,
  ...later,
  ...submessages,
  ...customEmoji,
  ...bots,
  ...profileFields,
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
