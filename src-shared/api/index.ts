import type { z } from 'zod'
import { accounts } from './accounts.ts'
import { belongings } from './belongings.ts'
import { botStorage } from './bot-storage.ts'
import { channelFolders } from './channel-folders.ts'
import { channels } from './channels.ts'
import { defaultChannelGroups } from './default-channel-groups.ts'
import { drafts } from './drafts.ts'
import type { OutputOf } from './endpoint.ts'
import { exports } from './exports.ts'
import { flags } from './flags.ts'
import { invitations } from './invitations.ts'
import { messages } from './messages.ts'
import { organizationPictures } from './organization-pictures.ts'
import { organization } from './organization.ts'
import { queue } from './queue.ts'
import { session } from './session.ts'
import { settings } from './settings.ts'
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
  ...belongings,
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
