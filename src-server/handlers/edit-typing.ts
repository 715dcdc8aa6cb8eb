import type { Handlers } from '../../src-shared/api/index.ts'
import { accessibleMessage } from '../messages/message-pages.ts'
import { audienceOf } from '../messages/message-audience.ts'
import { directUserIds } from '../messages/direct-groups.ts'
import { assertCanEdit } from '../permissions/message-changes.ts'
import { badRequest } from '../service-error.ts'
import { settingOf } from '../people/settings.ts'
import type { HandlerContext } from './context.ts'

/** In a larger channel nobody is told who is typing. */
const mostListeners = 100

/** Tells other people that somebody is editing a message (specification, POST /messages/{message_id}/typing). */
export const editTyping: Pick<Handlers<HandlerContext>, 'setMessageTypingStatus'> = {
  setMessageTypingStatus: ({ message_id, op }, { workspace, user }) => {
    const { db } = workspace
    const row = accessibleMessage(workspace, user, message_id)
    assertCanEdit(db, user, row, workspace.now())
    const isChannel = row.channel_id !== null
    const setting = isChannel ? 'send_stream_typing_notifications' : 'send_private_typing_notifications'
    if (settingOf(db, user.user_id, setting) !== true)
      throw badRequest('User has disabled typing notifications')
    const audience = audienceOf(workspace, row)
    if (isChannel && audience.length > mostListeners) return {}
    workspace.publish(
      audience.filter((id) => settingOf(db, id, 'receives_typing_notifications') === true),
      {
        type: 'typing_edit_message',
        op,
        sender_id: user.user_id,
        message_id,
        recipient: isChannel
          ? { type: 'channel', channel_id: row.channel_id, topic: row.topic }
          : { type: 'direct', user_ids: directUserIds(db, row.direct_group_id ?? 0) },
      },
    )
    return {}
  },
}
