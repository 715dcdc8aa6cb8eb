import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { UserId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import type { FeedMessage } from '../../../src-shared/model/message.ts'
import {
  actionsFor,
  type MessageActions,
  type MessagePermissions,
  type Permissions,
} from '../../../src-shared/model/permissions.ts'
import { once } from '../../state/data/once.ts'
import { Watched } from '../../state/data/watched.svelte.ts'

/** Dialogs about one message. */
export type MessageDialog = 'history' | 'readers' | 'reactors' | 'move' | 'report' | 'remind'

/** What the person may do with one message, with time limits taken into account. */
export interface AllowedActs extends MessageActions {
  readonly seeHistory: boolean
  readonly seeReaders: boolean
  readonly markUnread: boolean
  readonly remind: boolean
}

/** Whether these permissions allow what the dialog is for. */
export function mayOpen(kind: MessageDialog | 'move-topic', may: AllowedActs): boolean {
  switch (kind) {
    case 'history':
      return may.seeHistory
    case 'readers':
      return may.seeReaders
    case 'report':
      return may.report
    case 'remind':
      return may.remind
    case 'move':
      return may.changeTopic || may.changeChannel
    case 'reactors':
      return true
    case 'move-topic':
      // Only the server knows which of the topic's messages are too old to move.
      return true
  }
}

/** What the own user may do with the messages of a feed; it keeps one watch per channel. */
export class FeedPermissions {
  readonly #bridge: Bridge
  readonly #accountId: string
  readonly #ownUserId: UserId
  readonly #watched = new Map<number | null, Watched<'permissions'>>()

  constructor(bridge: Bridge, accountId: string, ownUserId: UserId) {
    this.#bridge = bridge
    this.#accountId = accountId
    this.#ownUserId = ownUserId
  }

  /** The permissions in the place of a conversation; undefined until they are known. */
  in(conversation: Conversation): Permissions | undefined {
    const channel = conversation.kind === 'topic' ? conversation.channelId : null
    let watched = this.#watched.get(channel)
    if (watched === undefined) {
      watched = new Watched(this.#bridge, 'permissions', this.#paramsFor(conversation))
      this.#watched.set(channel, watched)
    }
    return watched.current
  }

  /** The permissions for a message now; undefined until they are known. */
  for(message: FeedMessage): AllowedActs | undefined {
    const permissions = this.in(message.conversation)
    return permissions === undefined ? undefined : this.#allowed(permissions.messages, message)
  }

  /** The permissions for a message, as soon as they are known. */
  async ask(message: FeedMessage): Promise<AllowedActs> {
    return this.#allowed(await this.askIn(message.conversation), message)
  }

  /** The permissions for messages in the place of a conversation, as soon as they are known. */
  async askIn(conversation: Conversation): Promise<MessagePermissions> {
    return (await once(this.#bridge, 'permissions', this.#paramsFor(conversation))).messages
  }

  #paramsFor(conversation: Conversation) {
    const narrow =
      conversation.kind === 'topic' ? ({ kind: 'channel', channelId: conversation.channelId } as const) : null
    return { accountId: this.#accountId, narrow }
  }

  #allowed(permissions: MessagePermissions, message: FeedMessage): AllowedActs {
    const { seeHistory, seeReaders, markUnread, remind } = permissions
    const isTopic = message.conversation.kind === 'topic'
    const acts = actionsFor(permissions, message, this.#ownUserId, Date.now())
    return {
      ...acts,
      changeTopic: isTopic && acts.changeTopic,
      changeChannel: isTopic && acts.changeChannel,
      seeHistory: seeHistory === 'all' || (seeHistory === 'moves' && message.movedAt !== null),
      seeReaders,
      markUnread,
      remind,
    }
  }
}
