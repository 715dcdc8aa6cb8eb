import type { EndpointName } from '../../../src-shared/api/index.ts'
import type { Answer, Person } from '../../support/organization.ts'

/** Who asks. The bot is a member's; nobody has no account. */
export const askers = ['owner', 'administrator', 'moderator', 'member', 'guest', 'bot', 'nobody'] as const
export type Asker = (typeof askers)[number]

export const kinds = ['public', 'web-public', 'private'] as const
export type Kind = (typeof kinds)[number]

/** A channel of one kind with a message of somebody else in it, and people who are in it. */
export interface Scene {
  readonly kind: Kind
  readonly id: number
  readonly name: string
  readonly topic: string
  readonly message: number
  /** Not in the channel. */
  readonly stranger: Person
  /** In the channel. */
  readonly writer: Person
}

/** Who may, of those in the channel and of those who are not. */
interface Allowed {
  readonly inside: readonly Asker[]
  readonly outside: readonly Asker[]
}

export interface ChannelRule {
  readonly endpoints: readonly EndpointName[]
  /** What is done, for the reader of the table. */
  readonly what: string
  readonly allowed: Readonly<Record<Kind, Allowed>>
  ask(who: Person, scene: Scene): Promise<Answer>
  /** Whether the answer gave what was asked for; that it is a success when absent. */
  readonly isGiven?: (answer: Answer, scene: Scene) => boolean
  /** Whether it leaves the channel as it was, so that the next may ask of the same. */
  readonly leavesNoTrace?: true
}

const everybody: readonly Asker[] = ['owner', 'administrator', 'moderator', 'member', 'guest', 'bot']
const noGuests = everybody.filter((one) => one !== 'guest')
const administrators: readonly Asker[] = ['owner', 'administrator']
const none: readonly Asker[] = []
const withNobody = [...everybody, 'nobody'] as const

/** Knowing of a channel: its name, settings and subscribers. */
const knows: ChannelRule['allowed'] = {
  public: { inside: everybody, outside: noGuests },
  'web-public': { inside: everybody, outside: everybody },
  private: { inside: everybody, outside: administrators },
}
/** Reading what is written in it. */
const reads: ChannelRule['allowed'] = {
  public: { inside: everybody, outside: noGuests },
  'web-public': { inside: everybody, outside: everybody },
  private: { inside: everybody, outside: none },
}
const readsWithoutAccount: ChannelRule['allowed'] = {
  ...reads,
  'web-public': { inside: withNobody, outside: withNobody },
}
const writes: ChannelRule['allowed'] = {
  public: { inside: everybody, outside: noGuests },
  'web-public': { inside: everybody, outside: noGuests },
  private: { inside: everybody, outside: none },
}
/** Coming in by oneself, or bringing others. */
const enters: ChannelRule['allowed'] = {
  public: { inside: noGuests, outside: noGuests },
  'web-public': { inside: noGuests, outside: noGuests },
  private: { inside: noGuests, outside: none },
}
const isSubscribed: ChannelRule['allowed'] = {
  public: { inside: everybody, outside: none },
  'web-public': { inside: everybody, outside: none },
  private: { inside: everybody, outside: none },
}
const administers: ChannelRule['allowed'] = {
  public: { inside: administrators, outside: administrators },
  'web-public': { inside: administrators, outside: administrators },
  private: { inside: administrators, outside: administrators },
}
/** What takes an administrator who reads the channel, too. */
const administersWithin: ChannelRule['allowed'] = {
  ...administers,
  private: { inside: administrators, outside: none },
}

const never: ChannelRule['allowed'] = {
  public: { inside: none, outside: none },
  'web-public': { inside: none, outside: none },
  private: { inside: none, outside: none },
}

/** UNIX seconds, in the year 2096. */
const farAway = 4_000_000_000

const narrowTo = ({ id }: Scene) => [{ operator: 'channel', operand: id }]
const lists =
  (...keys: readonly string[]) =>
  ({ body }: Answer, { id }: Scene) =>
    keys.some((key) => (body[key] ?? []).some((one: { stream_id: number }) => one.stream_id === id))

/** Everything that an answer about a channel depends on who asks. */
export const channelRules: readonly ChannelRule[] = [
  {
    endpoints: ['getStreams'],
    what: 'Find it in the list of channels',
    allowed: {
      public: { inside: everybody, outside: noGuests },
      'web-public': { inside: everybody, outside: noGuests },
      private: { inside: everybody, outside: none },
    },
    ask: (who) => who.get('/streams'),
    isGiven: lists('streams'),
    leavesNoTrace: true,
  },
  {
    endpoints: ['getStreams'],
    what: 'Find it in the list of all channels (`include_all`)',
    allowed: knows,
    ask: (who) => who.get('/streams', { include_all: true }),
    isGiven: lists('streams'),
    leavesNoTrace: true,
  },
  {
    endpoints: ['registerQueue'],
    what: 'Find it in the answer of `POST /register`',
    allowed: { ...knows, 'web-public': { inside: withNobody, outside: withNobody } },
    ask: (who) => who.post('/register', { fetch_event_types: ['subscription'] }),
    isGiven: lists('subscriptions', 'unsubscribed', 'never_subscribed'),
    leavesNoTrace: true,
  },
  {
    endpoints: ['getSubscriptions'],
    what: 'Find it among the own subscriptions',
    allowed: isSubscribed,
    ask: (who) => who.get('/users/me/subscriptions'),
    isGiven: lists('subscriptions'),
    leavesNoTrace: true,
  },
  {
    endpoints: ['getStreamById'],
    what: 'Look at its settings',
    allowed: knows,
    ask: (who, { id }) => who.get(`/streams/${id}`),
    leavesNoTrace: true,
  },
  {
    endpoints: ['getStreamId'],
    what: 'Find its id by its name',
    allowed: knows,
    ask: (who, { name }) => who.get('/get_stream_id', { stream: name }),
    leavesNoTrace: true,
  },
  {
    endpoints: ['getSubscribers'],
    what: 'List its subscribers',
    allowed: knows,
    ask: (who, { id }) => who.get(`/streams/${id}/members`),
    leavesNoTrace: true,
  },
  {
    endpoints: ['getSubscriptionStatus'],
    what: 'Ask whether somebody is subscribed',
    allowed: knows,
    ask: (who, { id, writer }) => who.get(`/users/${writer.id}/subscriptions/${id}`),
    leavesNoTrace: true,
  },
  {
    endpoints: ['getStreamTopics'],
    what: 'List its topics',
    allowed: reads,
    ask: (who, { id }) => who.get(`/users/me/${id}/topics`),
    leavesNoTrace: true,
  },
  {
    endpoints: ['getMessages'],
    what: 'Read its messages',
    allowed: readsWithoutAccount,
    ask: (who, scene) =>
      who.get('/messages', {
        // Without an account one must say that one looks at what the web may see.
        narrow: [
          ...narrowTo(scene),
          ...(who.id === 0 ? [{ operator: 'channels', operand: 'web-public' }] : []),
        ],
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
      }),
    isGiven: ({ body }, { message }) =>
      (body['messages'] ?? []).some((one: { id: number }) => one.id === message),
    leavesNoTrace: true,
  },
  {
    endpoints: ['getMessage'],
    what: 'Read one message',
    allowed: reads,
    ask: (who, { message }) => who.get(`/messages/${message}`),
    leavesNoTrace: true,
  },
  {
    endpoints: ['getMessageHistory'],
    what: 'See how a message was changed',
    allowed: reads,
    ask: (who, { message }) => who.get(`/messages/${message}/history`),
    leavesNoTrace: true,
  },
  {
    endpoints: ['getReadReceipts'],
    what: 'See who has read a message',
    allowed: reads,
    ask: (who, { message }) => who.get(`/messages/${message}/read_receipts`),
    leavesNoTrace: true,
  },
  {
    endpoints: ['matchesNarrow'],
    what: 'Ask whether a message is in a narrow',
    allowed: reads,
    ask: (who, scene) =>
      who.get('/messages/matches_narrow', { msg_ids: [scene.message], narrow: narrowTo(scene) }),
    isGiven: ({ body }, { message }) => Object.hasOwn(body['messages'] ?? {}, String(message)),
    leavesNoTrace: true,
  },
  {
    endpoints: ['updateMessageFlags'],
    what: 'Star a message',
    allowed: reads,
    ask: (who, { message }) =>
      who.post('/messages/flags', { messages: [message], op: 'add', flag: 'starred' }),
  },
  {
    endpoints: ['updateMessageFlagsForNarrow'],
    what: 'Star the messages of a narrow',
    allowed: reads,
    ask: (who, scene) =>
      who.post('/messages/flags/narrow', {
        anchor: 'oldest',
        num_before: 0,
        num_after: 10,
        narrow: narrowTo(scene),
        op: 'add',
        flag: 'starred',
      }),
    isGiven: ({ body }) => body['processed_count'] > 0,
  },
  {
    endpoints: ['markTopicAsRead'],
    what: 'Mark a topic as read',
    allowed: reads,
    ask: (who, { id, topic }) => who.post('/mark_topic_as_read', { stream_id: id, topic_name: topic }),
  },
  {
    endpoints: ['addReaction', 'removeReaction'],
    what: 'React to a message, and take that back',
    allowed: reads,
    ask: async (who, { message }) => {
      await who.post(`/messages/${message}/reactions`, { emoji_name: 'octopus' })
      return who.delete(`/messages/${message}/reactions`, { emoji_name: 'octopus' })
    },
  },
  {
    endpoints: ['sendMessage'],
    what: 'Write a message',
    allowed: writes,
    ask: (who, { id, topic }) => who.post('/messages', { type: 'stream', to: id, topic, content: 'Hello' }),
  },
  {
    endpoints: ['createScheduledMessage'],
    what: 'Have a message written later',
    allowed: writes,
    ask: (who, { id, topic }) =>
      who.post('/scheduled_messages', {
        type: 'channel',
        to: id,
        topic,
        content: 'Later',
        scheduled_delivery_timestamp: farAway,
      }),
  },
  {
    endpoints: ['createReminder'],
    what: 'Have oneself reminded of a message',
    allowed: reads,
    ask: (who, { message }) =>
      who.post('/reminders', { message_id: message, scheduled_delivery_timestamp: farAway }),
  },
  {
    endpoints: ['setTypingStatus'],
    what: 'Show that one is typing',
    allowed: writes,
    ask: (who, { id, topic }) => who.post('/typing', { type: 'stream', op: 'start', stream_id: id, topic }),
    leavesNoTrace: true,
  },
  {
    endpoints: ['updateMessage'],
    what: 'Change the words of somebody else',
    allowed: never,
    ask: (who, { message }) => who.patch(`/messages/${message}`, { content: 'Never said' }),
  },
  {
    endpoints: ['updateMessage'],
    what: 'Move a message to another topic',
    allowed: reads,
    ask: (who, { message }) => who.patch(`/messages/${message}`, { topic: 'elsewhere' }),
  },
  {
    endpoints: ['deleteMessage'],
    what: 'Delete a message of somebody else',
    allowed: administersWithin,
    ask: (who, { message }) => who.delete(`/messages/${message}`),
  },
  {
    endpoints: ['deleteTopic'],
    what: 'Delete a topic with all its messages',
    allowed: administersWithin,
    ask: (who, { id, topic }) => who.post(`/streams/${id}/delete_topic`, { topic_name: topic }),
  },
  {
    endpoints: ['subscribe'],
    what: 'Subscribe oneself',
    allowed: enters,
    ask: (who, { name }) => who.post('/users/me/subscriptions', { subscriptions: [{ name }] }),
  },
  {
    endpoints: ['updateSubscriptions'],
    what: 'Subscribe oneself with a change of several',
    allowed: enters,
    ask: (who, { name }) => who.patch('/users/me/subscriptions', { add: [{ name }] }),
  },
  {
    endpoints: ['subscribe'],
    what: 'Subscribe somebody else',
    allowed: enters,
    ask: (who, { name, stranger }) =>
      who.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [stranger.id] }),
  },
  {
    endpoints: ['unsubscribe'],
    what: 'Unsubscribe oneself',
    allowed: knows,
    ask: (who, { name }) => who.delete('/users/me/subscriptions', { subscriptions: [name] }),
  },
  {
    endpoints: ['unsubscribe'],
    what: 'Unsubscribe somebody else',
    allowed: administers,
    ask: (who, { name, writer }) =>
      who.delete('/users/me/subscriptions', { subscriptions: [name], principals: [writer.id] }),
  },
  {
    endpoints: ['updateSubscriptionSettings'],
    what: 'Change the own settings for it',
    allowed: isSubscribed,
    ask: (who, { id }) =>
      who.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: id, property: 'pin_to_top', value: true }],
      }),
  },
  {
    endpoints: ['updateSubscription'],
    what: 'Change one own setting for it',
    allowed: isSubscribed,
    ask: (who, { id }) => who.patch(`/users/me/subscriptions/${id}`, { property: 'is_muted', value: true }),
  },
  {
    endpoints: ['updateUserTopic', 'muteTopic'],
    what: 'Follow or mute a topic',
    allowed: knows,
    ask: async (who, { id, topic }) => {
      const answer = await who.post('/user_topics', { stream_id: id, topic, visibility_policy: 1 })
      const older = { stream_id: id, topic, op: 'add' }
      return answer.status === 200 ? who.patch('/users/me/subscriptions/muted_topics', older) : answer
    },
  },
  {
    endpoints: ['getChannelEmailAddress'],
    what: 'Ask where mails to it go',
    allowed: knows,
    ask: (who, { id }) => who.get(`/streams/${id}/email_address`),
    leavesNoTrace: true,
  },
  {
    endpoints: ['updateStream'],
    what: 'Change its name, description and the like',
    allowed: administers,
    ask: (who, { id }) => who.patch(`/streams/${id}`, { description: 'Changed' }),
  },
  {
    endpoints: ['updateStream'],
    what: 'Change who may see it',
    allowed: administersWithin,
    ask: (who, { id, kind }) => who.patch(`/streams/${id}`, { is_private: kind !== 'private' }),
  },
  {
    endpoints: ['updateStream'],
    what: 'Change how long its messages are kept',
    allowed: {
      public: { inside: ['owner'], outside: ['owner'] },
      'web-public': { inside: ['owner'], outside: ['owner'] },
      private: { inside: ['owner'], outside: ['owner'] },
    },
    ask: (who, { id }) => who.patch(`/streams/${id}`, { message_retention_days: 30 }),
  },
  {
    endpoints: ['archiveStream'],
    what: 'Archive it',
    allowed: administers,
    ask: (who, { id }) => who.delete(`/streams/${id}`),
  },
  {
    endpoints: ['addDefaultStream'],
    what: 'Make it a default channel',
    allowed: { ...administers, private: { inside: none, outside: none } },
    ask: (who, { id }) => who.post('/default_streams', { stream_id: id }),
  },
  {
    endpoints: ['removeDefaultStream'],
    what: 'Take it from the default channels',
    allowed: administers,
    ask: (who, { id }) => who.delete('/default_streams', { stream_id: id }),
  },
  {
    endpoints: ['createInvitation'],
    what: 'Invite somebody new into it',
    allowed: administersWithin,
    ask: (who, { id }) => who.post('/invites/multiuse', { stream_ids: [id] }),
  },
]
