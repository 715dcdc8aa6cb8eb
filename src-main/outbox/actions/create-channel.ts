import { channels } from '../../../src-shared/api/channels.ts'
import { channelFlags } from '../../../src-shared/model/organization-edits.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { readCursor } from '../../store/cursor.ts'
import { foldName } from '../../store/users.ts'
import type { OfflineAction } from '../offline-action.ts'
import { explained, refused, unlessRefused } from './refusals.ts'

/** Since this feature level a channel is founded by an endpoint of its own; by joining what is not there before. */
const ownEndpointSince = 417
const taken = 'CHANNEL_ALREADY_EXISTS'

/** Founding a channel, with oneself in it. It is a channel once the server has numbered it. */
export const createChannel: OfflineAction<'create-channel'> = {
  // A second one of the same name is refused, and then the first is looked at.
  isRepeatable: true,
  lane: ({ channelName }) => `new-channel:${foldName(channelName)}`,
  conversation: () => null,
  apply: () => {},
  async send({ channelName: name, description, access, folderId, people }, context) {
    const { connection, signal, ownUserId, db } = context
    const { isPrivate, isWebPublic, hasSharedHistory } = channelFlags[access]
    const given = {
      invite_only: isPrivate,
      is_web_public: isWebPublic,
      history_public_to_subscribers: hasSharedHistory,
      ...(folderId === null ? {} : { folder_id: folderId }),
    }
    const inIt = [...new Set<number>([ownUserId, ...people])]
    const { featureLevel } = readCursor(db)
    const words = { [taken]: t.failures.organization.channelTaken(name) }
    if (featureLevel === 0 || featureLevel >= ownEndpointSince) {
      const wish = { name, description, subscribers: inIt, ...given }
      await explained(connection.call(channels.createChannel, wish, { signal }), words)
      return null
    }
    const known = await unlessRefused(connection.call(channels.getStreamId, { stream: name }, { signal }))
    if (known !== null) throw refused(words[taken] ?? '', taken)
    const wish = { subscriptions: [{ name, description }], principals: inIt, ...given }
    await connection.call(channels.subscribe, wish, { signal })
    return null
  },
  // The person's own, as they wanted it: the answer was lost. Anything else of that name is another channel.
  async isDone({ channelName, description, access }, _code, { connection, signal, ownUserId }) {
    const answer = await unlessRefused(connection.call(channels.getStreams, {}, { signal }))
    return (
      answer?.streams.some(
        (channel) =>
          channel.name.toLowerCase() === channelName.toLowerCase() &&
          channel.creator_id === ownUserId &&
          channel.description === description &&
          channel.invite_only === channelFlags[access].isPrivate,
      ) === true
    )
  },
  concerns: () => [],
}
