import type { Handlers } from '../../src-shared/api/index.ts'
import { withMatches } from '../match-highlights.ts'
import { accessibleMessage, matchingIds, pageOf } from '../message-pages.ts'
import { apiMessages, render } from '../messages.ts'
import { spectatorNarrow } from '../narrow.ts'
import { badRequest } from '../service-error.ts'
import type { HandlerContext } from './context.ts'

const mostMessages = 5_000

const tooMany = () => badRequest(`Too many messages requested (maximum ${mostMessages}).`)

/** What describes a page, and so has no place beside ids. */
const pageFields = ['anchor', 'include_anchor', 'num_before', 'num_after', 'use_first_unread_anchor'] as const

/** Reading messages; the flags that a person put on them are elsewhere. */
export const reading: Pick<
  Handlers<HandlerContext>,
  'getMessages' | 'getMessage' | 'matchesNarrow' | 'renderMessage'
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
      history_limited: false,
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
}
