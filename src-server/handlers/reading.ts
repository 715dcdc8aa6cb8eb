import type { Handlers } from '../../src-shared/api/index.ts'
import { withMatches } from '../messages/match-highlights.ts'
import { versionsOf } from '../messages/message-history.ts'
import { messageLimits } from '../permissions/message-limits.ts'
import { accessibleMessage, matchingIds, pageOf } from '../messages/message-pages.ts'
import { render } from '../markdown/render.ts'
import { spectatorNarrow } from '../messages/narrow.ts'
import { badRequest } from '../service-error.ts'
import { apiMessages } from '../messages/shown-messages.ts'
import { settingOf } from '../people/settings.ts'
import type { HandlerContext } from './context.ts'

const mostMessages = 5_000

const tooMany = () => badRequest(`Too many messages requested (maximum ${mostMessages}).`)

/** Parameters that describe a page and therefore cannot be combined with ids. */
const pageFields = ['anchor', 'include_anchor', 'num_before', 'num_after', 'use_first_unread_anchor'] as const

/** Reading messages; `flags.ts` has the flags that a person sets on them. */
export const reading: Pick<
  Handlers<HandlerContext>,
  'getMessages' | 'getMessage' | 'matchesNarrow' | 'renderMessage' | 'getMessageHistory' | 'getReadReceipts'
> = {
  getMessages: (input, { workspace, user }) => {
    const narrow = user.user_id === 0 ? spectatorNarrow(input.narrow ?? []) : (input.narrow ?? [])
    const options = {
      applyMarkdown: input.apply_markdown !== false,
      allowEmptyTopic: input.allow_empty_topic_name === true,
    }
    const show = (ids: readonly number[]) =>
      withMatches(workspace, narrow, apiMessages(workspace, user, ids, options))
    if (input.message_ids !== undefined) {
      const misplaced = pageFields.filter((name) => input[name] !== undefined)
      if (misplaced.length > 0) {
        throw badRequest('Messages are asked for either by their ids or by an anchor', {
          parameters: ['message_ids', ...misplaced],
        })
      }
      if (input.message_ids.length > mostMessages) throw tooMany()
      return {
        messages: show(matchingIds(workspace, user, narrow, input.message_ids)),
        found_anchor: false,
        found_oldest: false,
        found_newest: false,
        history_limited: false,
      }
    }
    const before = input.num_before ?? 0
    const after = input.num_after ?? 0
    if (before + after > mostMessages) throw tooMany()
    const page = pageOf(workspace, user, {
      narrow,
      anchor: input.anchor ?? (input.use_first_unread_anchor === true ? 'first_unread' : undefined),
      includeAnchor: input.include_anchor !== false,
      before,
      after,
    })
    return {
      messages: show(page.ids),
      anchor: page.anchor,
      found_anchor: page.foundAnchor,
      found_oldest: page.foundOldest,
      found_newest: page.foundNewest,
      history_limited: page.historyLimited,
    }
  },

  getMessage: (input, { workspace, user }) => {
    const row = accessibleMessage(workspace, user, input.message_id)
    const [message] = apiMessages(workspace, user, [row.message_id], {
      applyMarkdown: input.apply_markdown !== false,
      allowEmptyTopic: input.allow_empty_topic_name === true,
    })
    return { ...(message === undefined ? {} : { message }), raw_content: row.content }
  },

  matchesNarrow: ({ msg_ids, narrow }, { workspace, user }) => {
    if (msg_ids.length > mostMessages) throw tooMany()
    const options = { applyMarkdown: true, allowEmptyTopic: false }
    const ids = matchingIds(workspace, user, narrow, msg_ids)
    const found = withMatches(workspace, narrow, apiMessages(workspace, user, ids, options))
    return {
      messages: Object.fromEntries(
        found.map(({ id, match_content, match_subject }) => [
          String(id),
          match_content === undefined || match_subject === undefined ? {} : { match_content, match_subject },
        ]),
      ),
    }
  },

  renderMessage: ({ content }, { workspace, user }) => ({
    rendered: render(workspace, user, content).html,
  }),

  getMessageHistory: (input, { workspace, user }) => {
    const row = accessibleMessage(workspace, user, input.message_id)
    return { message_history: versionsOf(workspace, row, input.allow_empty_topic_name === true) }
  },

  getReadReceipts: ({ message_id }, { workspace, user }) => {
    const { db } = workspace
    if (!messageLimits(db).enable_read_receipts)
      throw badRequest('Read receipts are disabled in this organization.')
    const row = accessibleMessage(workspace, user, message_id)
    const readers = db.column<number>(
      `SELECT um.user_id FROM user_messages um JOIN users u USING (user_id)
       WHERE um.message_id = :id AND um.is_read = 1 AND um.is_historical = 0 AND um.user_id <> :sender
         AND u.is_active = 1 AND NOT EXISTS (SELECT 1 FROM muted_users k
           WHERE (k.user_id = :user AND k.muted_id = um.user_id) OR (k.user_id = um.user_id AND k.muted_id = :user))
       ORDER BY um.user_id`,
      { id: row.message_id, sender: row.sender_id, user: user.user_id },
    )
    return {
      user_ids: readers.filter((id) => settingOf(db, id, 'send_read_receipts') === true),
    }
  },
}
