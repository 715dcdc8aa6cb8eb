import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { ChannelSummary } from '../../../src-shared/model/channel.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import { findEmoji, loadEmoji, type KnownEmoji } from '../../emoji.ts'
import { matchesFilter } from '../../state/matches-filter.ts'
import { mediaUrl } from '../../media.ts'
import { Watched } from '../../state/data/watched.svelte.ts'
import {
  complete,
  completeToTopic,
  type Completed,
  type Completion,
  type HomeChannel,
} from './completion-text.ts'
import { commandsFor, languagesFor } from './known-words.ts'
import { offeredTimes } from './times.ts'
import { triggerAt, type Trigger } from './trigger.ts'

/** How many rows a list has at most. */
const limit = 8

/** Where a text will be sent, as far as completions need to know. */
export interface CompletionPlace {
  readonly conversation: Conversation | null
  readonly channel: ChannelSummary | null
  readonly uses24HourClock: boolean
  /** Whether the text is a new message, which may be a poll or a list. */
  readonly isNew: boolean
}

/**
 * The list that opens while the person types something that can be completed.
 *
 * 1. Its rows come only from this device and follow the typed text; a row that no longer fits is never offered.
 * 2. Esc closes the list until the person begins something else.
 */
export class Completions {
  readonly #bridge: Bridge
  readonly #accountId: string
  readonly #place: () => CompletionPlace
  #trigger = $state.raw<Trigger | null>(null)
  #at = $state(0)
  #unicode = $state.raw<readonly KnownEmoji[]>([])
  #closedAt: number | null = null
  #last: readonly Completion[] = []

  constructor(bridge: Bridge, accountId: string, place: () => CompletionPlace) {
    this.#bridge = bridge
    this.#accountId = accountId
    this.#place = place
  }

  get trigger(): Trigger | null {
    return this.#trigger
  }

  /** The row that Enter chooses. */
  get at(): number {
    return Math.min(this.#at, Math.max(0, this.rows.length - 1))
  }

  set at(index: number) {
    this.#at = index
  }

  readonly #namedChannel = $derived.by(() => {
    const trigger = this.#trigger
    if (trigger?.kind !== 'topic' || trigger.channelName === null) return null
    return new Watched(this.#bridge, 'suggestions', {
      accountId: this.#accountId,
      request: { kind: 'channel', text: trigger.channelName, toWriteIn: false },
      limit,
    })
  })

  /** The channel whose topics are offered: the one in the link, or the one that the text is for. */
  readonly #home = $derived.by((): HomeChannel | null => {
    const trigger = this.#trigger
    if (trigger?.kind === 'topic' && trigger.channelName !== null) {
      const found = this.#namedChannel?.current?.flatMap((one) =>
        one.kind === 'channel' ? [one.channel] : [],
      )
      return found?.find(({ name }) => name === trigger.channelName) ?? null
    }
    return this.#place().channel
  })

  readonly #asked = $derived.by(() => {
    const trigger = this.#trigger
    const accountId = this.#accountId
    switch (trigger?.kind) {
      case 'mention':
        return new Watched(this.#bridge, 'suggestions', {
          accountId,
          request: { kind: 'mention', text: trigger.text, conversation: this.#place().conversation },
          limit,
        })
      case 'channel':
        return new Watched(this.#bridge, 'suggestions', {
          accountId,
          request: { kind: 'channel', text: trigger.text, toWriteIn: false },
          limit,
        })
      case 'topic': {
        const home = this.#home
        return home === null
          ? null
          : new Watched(this.#bridge, 'suggestions', {
              accountId,
              request: { kind: 'topic', text: trigger.text, channelId: home.channelId },
              limit,
            })
      }
      default:
        return null
    }
  })
  readonly #emoji = $derived.by(() =>
    this.#trigger?.kind === 'emoji'
      ? new Watched(this.#bridge, 'emoji', { accountId: this.#accountId })
      : null,
  )

  readonly #device = $derived.by(() =>
    this.#trigger?.kind === 'emoji' ? new Watched(this.#bridge, 'device-settings', {}) : null,
  )

  readonly #snippets = $derived.by(() =>
    this.#trigger?.kind === 'command'
      ? new Watched(this.#bridge, 'snippets', { accountId: this.#accountId })
      : null,
  )

  /** The offered rows, best first; empty if nothing is begun or nothing fits. */
  readonly rows = $derived.by((): readonly Completion[] => {
    const trigger = this.#trigger
    const found = this.#found()
    if (found !== undefined) return (this.#last = found)
    // Until the new answer arrives, the rows of the last one that still fit.
    return this.#last.filter((row) => stillFits(row, trigger?.text ?? ''))
  })

  /** Whether the answer for the typed text is still pending. */
  get isPending(): boolean {
    return this.#trigger !== null && this.#found() === undefined
  }

  #found(): readonly Completion[] | undefined {
    const trigger = this.#trigger
    switch (trigger?.kind) {
      case undefined:
        return []
      case 'mention':
      case 'channel':
      case 'topic':
        return this.#asked === null ? [] : this.#asked.current
      case 'emoji':
        return this.#emojiRows(trigger.text)
      case 'language':
        return languagesFor(trigger.text, limit).map((name) => ({ kind: 'language', name }))
      case 'command':
        return [
          ...(trigger.isFirst ? commandsFor(trigger.text, this.#place().isNew) : []),
          ...(this.#snippets?.current ?? [])
            .filter(({ title }) => matchesFilter(title, trigger.text))
            .slice(0, limit / 2)
            .map(({ title, content }): Completion => ({ kind: 'snippet', title, content })),
        ]
      case 'time':
        return offeredTimes(trigger.text, Date.now(), this.#place().uses24HourClock).map((one) => ({
          kind: 'time',
          ...one,
        }))
    }
  }

  #emojiRows(text: string): Completion[] {
    const choices = this.#emoji?.current
    const own = (choices?.organization ?? []).map(({ emoji, imageUrl }) => ({
      names: [emoji.name],
      words: [],
      text: '',
      imageUrl: imageUrl === null ? null : mediaUrl(this.#accountId, imageUrl),
    }))
    const often = new Set((choices?.often ?? []).map(({ emoji }) => emoji.code))
    // The sort is stable, so among equals the often used ones come first.
    const unicode = this.#unicode.toSorted(
      (a, b) => Number(often.has(b.emoji.code)) - Number(often.has(a.emoji.code)),
    )
    const tone = this.#device?.current?.skinTone ?? 0
    const toned = unicode.map((one) => ({ ...one, text: one.tones[tone - 1] ?? one.text, imageUrl: null }))
    return findEmoji([...own, ...toned], text)
      .slice(0, limit)
      .map(({ names, text: characters, imageUrl }) => ({
        kind: 'emoji',
        name: names.find((name) => name.startsWith(text)) ?? names[0] ?? '',
        characters,
        imageUrl,
      }))
  }

  /** The text or the caret changed. */
  follow(value: string, selectionStart: number, selectionEnd: number): void {
    const next = selectionStart === selectionEnd ? triggerAt(value, selectionStart) : null
    if (next === null || next.start !== this.#closedAt) {
      this.#closedAt = null
      this.#trigger = next
    } else this.#trigger = null
    this.#at = 0
    if (next?.kind === 'emoji' && this.#unicode.length === 0) {
      void loadEmoji().then((all) => (this.#unicode = all))
    }
  }

  move(by: number): void {
    const { length } = this.rows
    if (length > 0) this.#at = (this.at + by + length) % length
  }

  /** The person closed this list. */
  close(): void {
    this.#closedAt = this.#trigger?.start ?? null
    this.#trigger = null
  }

  /** The field's text after a row is chosen; null if there is nothing to choose. */
  choose(value: string, caret: number, index: number): Completed | null {
    const row = this.rows[index]
    if (this.#trigger === null || row === undefined) return null
    const completed = complete(value, caret, this.#trigger, row, this.#home)
    this.#trigger = null
    return completed
  }

  /** Continues with the topics of the channel in the row; null if the row is not a channel. */
  chooseTopicOf(value: string, caret: number, index: number): Completed | null {
    const row = this.rows[index]
    if (this.#trigger === null || row?.kind !== 'channel') return null
    return completeToTopic(value, caret, this.#trigger, row.channel.name)
  }
}

const fold = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

function stillFits(row: Completion, text: string): boolean {
  const name =
    row.kind === 'person'
      ? row.person.fullName
      : row.kind === 'channel'
        ? row.channel.name
        : row.kind === 'topic' || row.kind === 'new-topic'
          ? row.topic
          : row.kind === 'snippet'
            ? row.title
            : row.kind === 'time'
              ? row.words
              : row.name
  return ` ${fold(name)}`.includes(` ${fold(text)}`)
}
