import type { z } from 'zod'
import { accounts } from './accounts.ts'
import { alertWords } from './alert-words.ts'
import { botStorage } from './bot-storage.ts'
import { bots } from './bots.ts'
import { channelFolders } from './channel-folders.ts'
import { channels } from './channels.ts'
import { customEmoji } from './custom-emoji.ts'
import { defaultChannelGroups } from './default-channel-groups.ts'
import { domains } from './domains.ts'
import { drafts } from './drafts.ts'
import type { OutputOf } from './endpoint.ts'
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
import { profileFields } from './profile-fields.ts'
import { queue } from './queue.ts'
import { session } from './session.ts'
import { settings } from './settings.ts'
import { snippets } from './snippets.ts'
import { status } from './status.ts'
import { submessages } from './submessages.ts'
import { uploads } from './uploads.ts'
import { userGroups } from './user-groups.ts'
import { users } from './users.ts'

/** Every endpoint that this product speaks, by the name its documentation gives it. */
export const api = {
  ...session,
  ...queue,
  ...messages,
  ...flags,
  ...drafts,
  ...users,
  ...channels,
  ...settings,
  ...snippets,
  ...linkifiers,
  ...domains,
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

export type EndpointName = keyof typeof api

/** A service's side of the table: it compiles only with one handler per endpoint. */
export type Handlers<Context> = {
  readonly [Name in EndpointName]: (
    input: z.output<(typeof api)[Name]['input']>,
    context: Context,
  ) => OutputOf<(typeof api)[Name]> | Promise<OutputOf<(typeof api)[Name]>>
}
