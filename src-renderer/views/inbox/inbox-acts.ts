import type { ActionInput } from '../../../src-shared/bridge/actions.ts'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { InboxRow } from '../../../src-shared/model/conversation-lists.ts'
import { accountId as asAccountId, messageId } from '../../../src-shared/ids.ts'
import type { TopicVisibility } from '../../../src-shared/model/message.ts'
import type { TopicMove } from '../../../src-shared/model/move.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { failureText } from '../../state/failure-text.ts'
import { markConversationRead, markPlaceRead, markRead } from '../../state/reading/mark-read.ts'
import { isMuted, muteTopic } from '../../state/reading/mute-topic.ts'
import { resolveTopic } from '../../state/reading/own-move.ts'
import { route } from '../../state/navigation/route.svelte.ts'

/** What a person can do with rows of the inbox; all of it works offline. */
export class InboxActs {
  readonly #bridge: Bridge
  readonly #accountId: string
  readonly #onProblem: (problem: string | null) => void
  readonly #onLeave: (rows: (row: InboxRow) => boolean) => void
  readonly #hidesMuted: () => boolean

  constructor(parts: {
    readonly bridge: Bridge
    readonly accountId: string
    onProblem(problem: string | null): void
    /** These rows are about to go, so the focus must move elsewhere. */
    onLeave(leaves: (row: InboxRow) => boolean): void
    /** Whether muted topics are left out of the list. */
    hidesMuted(): boolean
  }) {
    this.#bridge = parts.bridge
    this.#accountId = parts.accountId
    this.#onProblem = (problem) => parts.onProblem(problem)
    this.#onLeave = (leaves) => parts.onLeave(leaves)
    this.#hidesMuted = () => parts.hidesMuted()
  }

  open({ conversation }: InboxRow): void {
    route.go({ view: 'feed', accountId: asAccountId(this.#accountId), narrow: conversation, near: null })
  }

  markRead(row: InboxRow): void {
    this.#onLeave((one) => one === row)
    void markConversationRead(this.#bridge, this.#accountId, row)
  }

  /** Marks the whole channel as read, also what the inbox does not list. */
  markChannelRead({ conversation, label }: InboxRow): void {
    if (conversation.kind !== 'topic' || label.kind !== 'topic') return
    const { channelId } = conversation
    this.#onLeave((one) => one.conversation.kind === 'topic' && one.conversation.channelId === channelId)
    const narrow = { kind: 'channel', channelId } as const
    void markPlaceRead(this.#bridge, this.#accountId, { narrow, name: label.channelName })
  }

  /** Marks everything in the narrow as read, in one change, up to the newest message of the listed rows. */
  markAllRead(narrow: Narrow, rows: readonly InboxRow[]): void {
    const upTo = messageId(Math.max(0, ...rows.map(({ newestMessageId }) => newestMessageId)))
    void markRead(this.#bridge, this.#accountId, { narrow, upTo, words: null })
  }

  /** Mutes a topic that is not muted yet. */
  mute(row: InboxRow): void {
    if (row.label.kind === 'topic' && !isMuted(row.label)) this.setVisibility(row, 'muted')
  }

  /** Sets what a person sees of a topic. If that mutes it, by itself or like its channel, it can be undone. */
  setVisibility(row: InboxRow, visibility: TopicVisibility): void {
    const { conversation, label } = row
    if (conversation.kind !== 'topic' || label.kind !== 'topic') return
    const { channelId, topic } = conversation
    if (isMuted({ ...label, visibility })) {
      if (this.#hidesMuted()) this.#onLeave((one) => one === row)
      const names = { channelId, topic, name: label.topic }
      const change = { before: label.visibility, now: visibility, mutes: true }
      void muteTopic(this.#bridge, this.#accountId, { ...names, ...change })
    } else this.#act({ name: 'set-topic-visibility', channelId, topic, visibility })
  }

  /** Marks a topic as resolved, or removes the mark, under the name that the topic will have by then. */
  setResolved({ newestMessageId }: InboxRow, goal: TopicMove['from'], on: boolean): void {
    this.#act(resolveTopic(newestMessageId, goal, on))
  }

  #act(action: ActionInput): void {
    this.#bridge.call('act', { accountId: this.#accountId, action }).then(
      () => this.#onProblem(null),
      (error: unknown) => this.#onProblem(failureText(error)),
    )
  }
}
