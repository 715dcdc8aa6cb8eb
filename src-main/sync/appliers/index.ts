import type { EventPayload, ServerEvent, ServerEventType } from '../../../src-shared/api/events.ts'
import type { WritableDb } from '../../store/database.ts'
import { putSubmessage } from '../../store/submessages.ts'
import { smallListAppliers } from './small-lists.ts'
import { putOrganizationValue } from '../../store/organization.ts'
import {
  applyChannelFolder,
  applyMutedTopics,
  applyStream,
  applySubscription,
  applyUserTopic,
} from './channels.ts'
import type { ApplyContext } from './context.ts'
import {
  applyDeleteMessage,
  applyFlags,
  applyMessage,
  applyReaction,
  applyEditTyping,
  applyTyping,
  applyUpdateMessage,
} from './messages.ts'
import { applyUserGroup } from './user-groups.ts'
import {
  applyMutedUsers,
  applyPresence,
  applyRealm,
  applyRealmEmoji,
  applyRealmUser,
  applyUserSettings,
} from './users.ts'

type Applier<T extends ServerEventType> = (
  db: WritableDb,
  payload: EventPayload<T>,
  context: ApplyContext,
) => void

/** The applier of each event type; a missing one does not compile. All are idempotent. */
const appliers: { readonly [T in ServerEventType]: Applier<T> } = {
  heartbeat: () => {},
  // The queue survives a restart of the server; only another level makes the registration outdated.
  restart: (_db, { service_feature_level }, context) => {
    context.needsRegistration ||=
      service_feature_level !== undefined && service_feature_level !== context.featureLevel
  },
  message: applyMessage,
  update_message: applyUpdateMessage,
  delete_message: applyDeleteMessage,
  update_message_flags: applyFlags,
  submessage: (db, { message_id, submessage_id, sender_id, msg_type, content }, context) => {
    context.touched.push(message_id)
    if (msg_type === 'widget')
      putSubmessage(db, message_id, { id: submessage_id, senderId: sender_id, content })
  },
  reaction: applyReaction,
  typing: applyTyping,
  typing_edit_message: applyEditTyping,
  presence: applyPresence,
  drafts: (db, payload, context) => context.draftsEvent(db, payload),
  subscription: applySubscription,
  stream: applyStream,
  channel_folder: applyChannelFolder,
  user_topic: applyUserTopic,
  muted_topics: applyMutedTopics,
  user_group: applyUserGroup,
  default_streams: (db, { default_streams }) =>
    putOrganizationValue(db, 'realm_default_streams', default_streams),
  realm_user: applyRealmUser,
  user_settings: applyUserSettings,
  muted_users: applyMutedUsers,
  realm: applyRealm,
  realm_emoji: applyRealmEmoji,
  ...smallListAppliers,
}

/** Applies one event. If it throws, the caller must roll its transaction back. */
export function applyEvent(db: WritableDb, event: ServerEvent, context: ApplyContext): void {
  // The table's entry has the type of its own key; TypeScript cannot follow that through the lookup.
  const applier = appliers[event.type] as Applier<ServerEventType>
  applier(db, event.payload, context)
}
