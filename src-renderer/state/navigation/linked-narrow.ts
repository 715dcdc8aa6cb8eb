import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { AccountId } from '../../../src-shared/ids.ts'
import { directConversation } from '../../../src-shared/model/conversation.ts'
import { topicKey } from '../../../src-shared/topic-names.ts'
import type { LinkedPlace } from '../../../src-shared/model/message-link.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { searchText } from '../../../src-shared/model/search.ts'
import { once } from '../data/once.ts'

/** How long a link to a topic that is not on this device waits for the server. */
const longestWaitMs = 2_000

/**
 * What a link shows. A link to a topic can name one of its messages (`topicOf`): then it is the topic that has this
 * message now, though it was renamed after the link was made. The server is asked only if this device has neither the
 * message nor anything in a topic of the link's name; without an answer, the link's name counts. A direct conversation is
 * that of the people in the link, whether or not the reader is among them.
 */
export async function linkedNarrow(
  { narrow, topicOf }: Pick<LinkedPlace, 'narrow' | 'topicOf'>,
  bridge: Bridge,
  accountId: AccountId,
): Promise<Narrow> {
  if (narrow.kind === 'direct') {
    // Other clients name the reader too.
    const accounts = await once(bridge, 'accounts', {})
    const own = accounts.find(({ id }) => id === accountId)
    return own === undefined ? narrow : directConversation(narrow.userIds, own.userId)
  }
  if (narrow.kind !== 'topic' || topicOf === null) return narrow
  const one = searchText({
    terms: [{ operator: 'id', operand: String(topicOf), isNegated: false }],
    words: '',
  })
  const here = await once(bridge, 'search', { accountId, text: one, limit: 1 })
  const [message] = here.results
  if (message !== undefined) return message.conversation.kind === 'topic' ? message.conversation : narrow
  const { channelId, topic: open } = narrow
  const known = await once(bridge, 'channel-topics', { accountId, channelId, limit: 1, open })
  const isHere = known.topics.some(
    ({ topic, newestMessageId }) => newestMessageId !== null && topicKey(topic) === topicKey(open),
  )
  if (isHere) return narrow
  const asked = bridge.call('search-server', { accountId, text: one, before: null }).then(
    ({ results }) => results[0]?.conversation,
    () => undefined,
  )
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, longestWaitMs, undefined))
  const found = await Promise.race([asked, late])
  return found?.kind === 'topic' ? found : narrow
}
