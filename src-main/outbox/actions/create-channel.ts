import { channels, type ApiChannel } from '../../../src-shared/api/channels.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { channelFlags } from '../../../src-shared/model/organization-edits.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import {
  hasChannel,
  newestChannel,
  newestOwnChannel,
  putChannel,
  renumberChannel,
  removeChannels,
  replaceSubscribers,
} from '../../store/channels.ts'
import { knownLevel } from '../../store/cursor.ts'
import type { WritableDb } from '../../store/database.ts'
import { ownHolder, refreshPosting } from '../../store/permissions.ts'
import { foldName } from '../../../src-shared/model/name-match.ts'
import { isAble } from '../../../src-shared/model/server-abilities.ts'
import type { EffectContext, OfflineAction, SendContext } from '../offline-action.ts'
import { withRefusalTexts, refused, unlessRefused } from './refusals.ts'

const taken = 'CHANNEL_ALREADY_EXISTS'

/** The colour of a channel until the server has assigned one. */
const colorAtFirst = '#c2c2c2'

type Creation = ActionOf<'create-channel'>

/** The subscribers: the own user and the people who were added. */
const peopleIn = ({ people }: Creation, ownUserId: number) => [...new Set<number>([ownUserId, ...people])]

function show(db: WritableDb, action: Creation, id: number, { ownUserId, clock }: EffectContext): void {
  if (hasChannel(db, id)) return
  const people = peopleIn(action, ownUserId)
  putChannel(db, {
    id,
    name: action.channelName,
    description: action.description,
    color: colorAtFirst,
    ...channelFlags[action.access],
    isArchived: false,
    folderId: action.folderId,
    topicsPolicy: 'inherit',
    // The server makes the creator of a channel its administrator.
    permissions: JSON.stringify({
      can_administer_channel_group: { direct_members: [ownUserId], direct_subgroups: [] },
    }),
    subscriberCount: people.length,
    firstMessageId: null,
    isSubscribed: true,
    isMuted: false,
    isPinned: false,
    desktopNotifications: null,
    audibleNotifications: null,
    wildcardMentionsNotify: null,
    pushNotifications: null,
    emailNotifications: null,
    isRecentlyActive: true,
    creatorId: ownUserId,
    createdAt: clock.now(),
    retentionDays: null,
    weeklyTraffic: null,
  })
  replaceSubscribers(db, id, people)
  refreshPosting(db, ownHolder(db, ownUserId), [id])
}

const channelsOnServer = ({ connection, signal }: SendContext) =>
  connection.call(channels.getStreams, {}, { signal })

/** Whether a channel has the properties of the action; its name may be another. */
const isAlike = (channel: ApiChannel, { description, access }: Creation): boolean =>
  channel.description === description && channel.invite_only === channelFlags[access].isPrivate

/**
 * Creates a channel and subscribes the own user. It is listed at once, and messages can be written to it before the
 * server has it (specification, POST /channels/create).
 */
export const createChannel: OfflineAction<'create-channel'> = {
  // The server refuses a second channel of the same name; `isAlreadyDone` then checks whether the first is ours.
  isRepeatable: true,
  lane: ({ channelName }) => `new-channel:${foldName(channelName)}`,
  withDetails: (db, action) => ({ ...action, newestKnown: newestChannel(db) }),
  apply: () => {},
  creates: {
    show,
    find(db, { channelName: name, description, access, newestKnown = 0 }, { ownUserId }) {
      const creatorId = isAble(knownLevel(db), 'channelCreators') ? ownUserId : null
      const { isPrivate } = channelFlags[access]
      return newestOwnChannel(db, { name, description, isPrivate, creatorId, newestKnown })
    },
    async ownAlike(action, context) {
      const answer = await unlessRefused(channelsOnServer(context))
      return (answer?.streams ?? []).flatMap((channel) => {
        const { stream_id: id, date_created: createdAt, creator_id: creator } = channel
        const isOwn = creator === context.ownUserId && isAlike(channel, action)
        return isOwn && createdAt !== undefined ? [{ id, createdAt }] : []
      })
    },
    renumber: renumberChannel,
    forget: (db, id) => removeChannels(db, [id]),
    merged(action, later) {
      if (later.name !== 'change-channel') return undefined
      // The action's schema ties the type of the value to the property.
      switch (later.property) {
        case 'name':
          return { ...action, channelName: later.value as string }
        case 'description':
          return { ...action, description: later.value as string }
        case 'access':
          return { ...action, access: later.value as Creation['access'] }
        case 'folder':
          return { ...action, folderId: later.value as number | null }
        default:
          return undefined
      }
    },
  },
  async send(action, context) {
    const { channelName: name, description, access, folderId } = action
    const { connection, signal, ownUserId, db } = context
    const { isPrivate, isWebPublic, hasSharedHistory } = channelFlags[access]
    const given = {
      invite_only: isPrivate,
      is_web_public: isWebPublic,
      history_public_to_subscribers: hasSharedHistory,
      ...(folderId === null ? {} : { folder_id: folderId }),
    }
    const inIt = peopleIn(action, ownUserId)
    const texts = { [taken]: t.failures.organization.channelTaken(name) }
    if (isAble(knownLevel(db), 'channelCreation')) {
      const input = { name, description, subscribers: inIt, ...given }
      const { id } = await withRefusalTexts(connection.call(channels.createChannel, input, { signal }), texts)
      return id
    }
    const numberOf = () => unlessRefused(connection.call(channels.getStreamId, { stream: name }, { signal }))
    const isTaken = refused(texts[taken] ?? '', taken)
    if ((await numberOf()) !== null) throw isTaken
    const input = { subscriptions: [{ name, description }], principals: inIt, ...given }
    await connection.call(channels.subscribe, input, { signal })
    const created = await numberOf()
    // Treated as a refusal, so that `isAlreadyDone` checks whose channel it is.
    if (created === null) throw isTaken
    return created.stream_id
  },
  // If it has our user as creator and the same properties, the answer was lost. Otherwise it is another channel.
  async isAlreadyDone(action, _code, context) {
    const { connection, signal, ownUserId } = context
    const answer = await unlessRefused(channelsOnServer(context))
    const same = answer?.streams.find(
      (channel) =>
        channel.name.toLowerCase() === action.channelName.toLowerCase() && isAlike(channel, action),
    )
    if (same === undefined) return null
    const { stream_id: id, creator_id: creator } = same
    if (creator !== undefined) return creator === ownUserId ? id : null
    // An older server does not say whose it is. Whoever creates a channel is in it, and it was not here before.
    if (id <= (action.newestKnown ?? 0)) return null
    const { subscriptions } = await connection.call(channels.getSubscriptions, {}, { signal })
    return subscriptions.some(({ stream_id }) => stream_id === id) ? id : null
  },
}
