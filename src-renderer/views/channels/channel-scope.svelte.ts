import type { ActionInput } from '../../../src-shared/bridge/actions.ts'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { AccountId, ChannelId, LocalId, UserId } from '../../../src-shared/ids.ts'
import type {
  ChannelChange,
  ChannelProperty,
  ChannelSettings,
} from '../../../src-shared/model/channel-settings.ts'
import type { ChannelColor } from '../../../src-shared/model/message.ts'
import type { ChannelEdit } from '../../../src-shared/model/organization-edits.ts'
import { failureText } from '../../state/failure-text.ts'
import { Watched } from '../../state/data/watched.svelte.ts'

type EditValue = Extract<ActionInput, { name: 'change-channel' }>['value']

/** One channel, as the dialog shows and changes it. */
export class ChannelScope {
  /** Why the last change was not stored; null if it was. */
  problem = $state<string | null>(null)
  readonly accountId: AccountId
  readonly channelId: ChannelId
  readonly #bridge: Bridge
  readonly #state: Watched<'channel-settings'>

  constructor(bridge: Bridge, accountId: AccountId, channelId: ChannelId) {
    this.#bridge = bridge
    this.accountId = accountId
    this.channelId = channelId
    this.#state = new Watched(bridge, 'channel-settings', { accountId, channelId })
  }

  /** Undefined until it is loaded, null if there is no such channel. */
  get known(): ChannelSettings | null | undefined {
    return this.#state.current
  }

  /** The state of the last change that the server does not have yet. */
  changeOf(what: ChannelChange['what']): ChannelChange | undefined {
    return this.known?.changes.findLast((change) => change.what === what)
  }

  join(): void {
    void this.#act({ name: 'subscribe', channelId: this.channelId })
  }

  leave(): void {
    void this.#act({ name: 'unsubscribe', channelId: this.channelId })
  }

  set(property: ChannelProperty, value: boolean | ChannelColor | null): void {
    void this.#act({ name: 'set-subscription', channelId: this.channelId, property, value })
  }

  /** Adds a person to the channel, or removes them. Resolves with the change's id, null if it was not stored. */
  setMember(userId: UserId, on: boolean): Promise<LocalId | null> {
    return this.#act({ name: 'set-channel-member', channelId: this.channelId, userId, on })
  }

  /** Changes a property that everybody sees; `before` is the old value. Resolves with whether the change was stored. */
  async edit(property: ChannelEdit, value: EditValue, before: EditValue): Promise<boolean> {
    const { channelId } = this
    return (await this.#act({ name: 'change-channel', channelId, property, value, before })) !== null
  }

  /** Discards a change that the server refused. */
  dismiss({ localId }: { readonly localId: LocalId }): void {
    void this.#keep(this.#bridge.call('discard-outbox-item', { accountId: this.accountId, localId }))
  }

  async #act(action: ActionInput): Promise<LocalId | null> {
    return (
      (await this.#keep(this.#bridge.call('act', { accountId: this.accountId, action })))?.localId ?? null
    )
  }

  /** Resolves with null if it failed. */
  async #keep<T>(work: Promise<T>): Promise<T | null> {
    try {
      const done = await work
      this.problem = null
      return done
    } catch (error) {
      this.problem = failureText(error)
      return null
    }
  }
}
