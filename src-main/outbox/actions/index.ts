import type { Action, ActionName } from '../../../src-shared/bridge/actions.ts'
import type { OfflineAction } from '../offline-action.ts'
import { changeChannel } from './change-channel.ts'
import { changeFolder } from './change-folder.ts'
import { changeGroup } from './change-group.ts'
import { changeReminder } from './change-reminder.ts'
import { collapseMessage } from './collapse-message.ts'
import { createChannel } from './create-channel.ts'
import { createFolder } from './create-folder.ts'
import { createGroup } from './create-group.ts'
import { deleteMessage } from './delete-message.ts'
import { editMessage } from './edit-message.ts'
import { editScheduled } from './edit-scheduled.ts'
import { markNarrowRead } from './mark-narrow-read.ts'
import { markRead } from './mark-read.ts'
import { markUnread } from './mark-unread.ts'
import { moveMessages } from './move-messages.ts'
import { mutePerson } from './mute-person.ts'
import { orderFolders } from './order-folders.ts'
import { react } from './react.ts'
import { cancelScheduled } from './cancel-scheduled.ts'
import { remindMe } from './remind-me.ts'
import { reportMessage } from './report-message.ts'
import { changeSnippet } from './change-snippet.ts'
import { deleteSnippet } from './delete-snippet.ts'
import { saveSnippet } from './save-snippet.ts'
import { scheduleMessage } from './schedule-message.ts'
import { sendMessage } from './send-message.ts'
import { setAlertWord } from './set-alert-word.ts'
import { setChannelMember } from './set-channel-member.ts'
import { setGroupMember } from './set-group-member.ts'
import { setSubscription } from './set-subscription.ts'
import { subscribe } from './subscribe.ts'
import { unsubscribe } from './unsubscribe.ts'
import { setOwnName } from './set-own-name.ts'
import { setProfileField } from './set-profile-field.ts'
import { setStatus } from './set-status.ts'
import { setTopicVisibility } from './set-topic-visibility.ts'
import { starMessage } from './star-message.ts'
import { widgetStep } from './widget-step.ts'
import { updateSetting } from './update-setting.ts'

/** All offline actions by name. If one is missing, this does not compile. */
export const offlineActions: { readonly [N in ActionName]: OfflineAction<N> } = {
  'send-message': sendMessage,
  'edit-message': editMessage,
  'delete-message': deleteMessage,
  'move-messages': moveMessages,
  react,
  'star-message': starMessage,
  'collapse-message': collapseMessage,
  'mark-read': markRead,
  'mark-unread': markUnread,
  'mark-narrow-read': markNarrowRead,
  'set-topic-visibility': setTopicVisibility,
  subscribe,
  unsubscribe,
  'set-subscription': setSubscription,
  'schedule-message': scheduleMessage,
  'cancel-scheduled': cancelScheduled,
  'edit-scheduled': editScheduled,
  'save-snippet': saveSnippet,
  'change-snippet': changeSnippet,
  'delete-snippet': deleteSnippet,
  'widget-step': widgetStep,
  'report-message': reportMessage,
  'remind-me': remindMe,
  'change-reminder': changeReminder,
  'mute-person': mutePerson,
  'set-alert-word': setAlertWord,
  'set-status': setStatus,
  'set-own-name': setOwnName,
  'set-profile-field': setProfileField,
  'update-setting': updateSetting,
  'create-group': createGroup,
  'set-group-member': setGroupMember,
  'change-group': changeGroup,
  'create-folder': createFolder,
  'change-folder': changeFolder,
  'order-folders': orderFolders,
  'create-channel': createChannel,
  'change-channel': changeChannel,
  'set-channel-member': setChannelMember,
}

/** The entry for an action. */
export function actionFor(action: Action): OfflineAction<ActionName> {
  // The entry has the type of its name, which TypeScript cannot infer from a lookup.
  return offlineActions[action.name] as OfflineAction<ActionName>
}
