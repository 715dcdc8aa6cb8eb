import type { JumpTarget, SearchResult } from '../../../src-shared/bridge/queries.ts'
import type { AccountId, MessageId } from '../../../src-shared/ids.ts'
import { conversationKey, isResolved, topicWithoutMark } from '../../../src-shared/model/conversation.ts'
import { matchNames, wordsOf } from '../../../src-shared/model/name-match.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import type { Marked } from '../../parts/marked-text.ts'
import type { Doable } from '../../state/doable.ts'
import type { Route } from '../../state/route.svelte.ts'
import type { ShortcutName } from '../../state/shortcuts.ts'

/** One thing to choose. */
export interface PaletteEntry {
  /** What choosing is counted under; of each there is one. */
  readonly key: string
  readonly name: Marked
  readonly detail: Marked
  readonly subject:
    | { readonly kind: 'target'; readonly target: JumpTarget }
    | { readonly kind: 'act'; readonly doable: Doable }
    | { readonly kind: 'place'; readonly place: ExtraPlace }
    | { readonly kind: 'message'; readonly result: SearchResult }
    | { readonly kind: 'search' }
}

/** Entries below one heading. */
export interface PaletteSection {
  /** One of each. */
  readonly key: string
  /** Whose they are. */
  readonly accountId: AccountId
  readonly name: string
  /** How many there are in all, in words, where more than are shown; null elsewhere. */
  readonly count: string | null
  readonly entries: readonly PaletteEntry[]
}

/** What a palette finds while a person types in it. */
export interface PaletteFindings {
  typed: string
  /** What is looked for, without the sign that restricts it. */
  readonly text: string
  readonly sections: readonly PaletteSection[]
  /** Whether they answer what is typed. */
  readonly isAnswered: boolean
}

/** Entries under a heading; nothing where there is none. */
export const section = (
  {
    key,
    accountId,
    name,
    count = null,
  }: Omit<PaletteSection, 'entries' | 'count'> & { count?: string | null },
  entries: readonly PaletteEntry[],
): PaletteSection[] => (entries.length === 0 ? [] : [{ key, accountId, name, count, entries }])

/** Where choosing leads in the window; null for what is done, or opens over it. */
export function routeOf(accountId: AccountId, subject: PaletteEntry['subject']): Route | null {
  const feed = (narrow: Narrow, near: MessageId | null = null): Route => ({
    view: 'feed',
    accountId,
    narrow,
    near,
  })
  if (subject.kind === 'message') return feed(subject.result.conversation, subject.result.messageId)
  if (subject.kind !== 'target') return null
  const { target } = subject
  switch (target.kind) {
    case 'conversation':
      return feed(target.conversation)
    case 'channel':
      return feed({ kind: 'channel', channelId: target.channel.channelId })
    case 'person':
      return feed({ kind: 'direct', userIds: target.person.isSelf ? [] : [target.person.userId] })
    case 'group':
      return null
  }
}

/** Places that have no shortcut. */
export type ExtraPlace = 'mentions' | 'reactions'
const extraPlaces: readonly ExtraPlace[] = ['mentions', 'reactions']

/** What a beginning sign restricts a search to. */
export type Scope = 'everything' | 'channels' | 'people' | 'acts'

/** The scope that what is typed begins with, and the rest of it. */
export function scopeOf(typed: string): { readonly scope: Scope; readonly text: string } {
  const scope = ({ '#': 'channels', '@': 'people', '>': 'acts' } as const)[typed.trimStart()[0] ?? '']
  return scope === undefined
    ? { scope: 'everything', text: typed }
    : { scope, text: typed.trimStart().slice(1) }
}

const plain = (text: string): Marked => ({ text, spans: [] })

/** The name of a target, marked where it fits. */
export function targetEntry(target: JumpTarget, words: readonly string[]): PaletteEntry {
  const subject = { kind: 'target', target } as const
  const mark = (first: string, second: string): [Marked, Marked] => {
    const spans = matchNames([first, second], words)?.spans
    return [
      { text: first, spans: spans?.[0] ?? [] },
      { text: second, spans: spans?.[1] ?? [] },
    ]
  }
  const key = jumpKey(target)
  if (target.kind === 'conversation') {
    const { label } = target
    if (label.kind === 'direct') {
      const [name] = mark(label.names.join(', '), '')
      return { key, name, detail: plain(''), subject }
    }
    const [name, channel] = mark(topicWithoutMark(label.topic), label.channelName)
    const detail = isResolved(label.topic)
      ? { ...channel, text: t.quickSwitcher.resolvedIn(channel.text) }
      : channel
    return { key, name, detail, subject }
  }
  if (target.kind === 'channel') {
    const [name] = mark(target.channel.name, '')
    const { subscriberCount, topicCount } = target
    const counts = [
      ...(subscriberCount === null ? [] : [t.quickSwitcher.people(subscriberCount)]),
      t.quickSwitcher.topics(topicCount),
    ]
    return { key, name, detail: plain(counts.join(', ')), subject }
  }
  if (target.kind === 'person') {
    const { person } = target
    const [name] = mark(person.fullName, '')
    const state = person.isSelf
      ? t.shared.you
      : person.isBot
        ? t.quickSwitcher.bot
        : (person.status?.text ?? '')
    return { key, name, detail: plain(state), subject }
  }
  const [name] = mark(target.name, '')
  const detail =
    target.memberCount === null
      ? t.quickSwitcher.group
      : t.quickSwitcher.groupOf(t.quickSwitcher.people(target.memberCount))
  return { key, name, detail: plain(detail), subject }
}

/** What choosing a target is counted under. */
export function jumpKey(target: JumpTarget): string {
  switch (target.kind) {
    case 'conversation':
      return conversationKey(target.conversation)
    case 'channel':
      return `channel:${target.channel.channelId}`
    case 'person':
      return `person:${target.person.userId}`
    case 'group':
      return `group:${target.groupId}`
  }
}

/** What only makes sense as keys, or is what is being done already. */
const keysOnly: ReadonlySet<ShortcutName> = new Set([
  'palette',
  'step-out',
  'next-region',
  'previous-region',
  'organization',
])
/** What was chosen often comes before what fits a little better. */
const chosenWorth = 1.5

/** The actions that fit, best first; those with an object come first where nothing is typed. */
export function actEntries(
  acts: readonly Doable[],
  text: string,
  often: readonly string[],
  limit: number,
): PaletteEntry[] {
  const words = wordsOf(text)
  const named = [
    ...acts
      .filter(({ name }) => !keysOnly.has(name))
      .map((doable) => ({
        key: `act:${doable.name}`,
        name: doable.words ?? t.shortcuts.actions[doable.name],
        object: doable.object,
        subject: { kind: 'act', doable } as const,
      })),
    ...extraPlaces.map((place) => ({
      key: `place:${place}`,
      name: t.quickSwitcher.places[place],
      object: '',
      subject: { kind: 'place', place } as const,
    })),
  ]
  const seen = new Set<string>()
  return named
    .filter(({ key }) => !seen.has(key) && seen.add(key))
    .flatMap(({ key, name, object, subject }) => {
      const match = matchNames([name, object], words)
      if (match === null) return []
      const rank = often.indexOf(key)
      const chosen = rank < 0 ? 0 : chosenWorth * (1 - rank / often.length)
      const score = match.score + chosen + (words.length === 0 && object !== '' ? 1 : 0)
      const entry: PaletteEntry = {
        key,
        name: { text: name, spans: match.spans[0] ?? [] },
        detail: { text: object, spans: match.spans[1] ?? [] },
        subject,
      }
      return [{ entry, score }]
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ entry }) => entry)
}

/** A message that was found, and where it stands. */
export function messageEntry(result: SearchResult): PaletteEntry {
  const words = fromFirstMark({ text: result.excerpt, spans: result.matches })
  const { label } = result
  const place =
    label.kind === 'topic'
      ? { text: label.topic, spans: result.topicMatches }
      : { text: label.names.join(', '), spans: [] }
  // What was looked for comes first: in the words, or in the topic alone.
  const isInTopic = words.spans.length === 0 && place.spans.length > 0
  return {
    key: `message:${result.messageId}`,
    name: isInTopic ? place : words,
    detail: isInTopic ? words : place,
    subject: { kind: 'message', result },
  }
}

const mostBefore = 30

/** The same text from a little before its first mark on, so that one line shows it. */
export function fromFirstMark({ text, spans }: Marked): Marked {
  const first = spans[0]?.[0] ?? 0
  if (first <= mostBefore) return { text, spans }
  const start = text.lastIndexOf(' ', first - 12) + 1
  const by = start - 1
  return { text: `…${text.slice(start)}`, spans: spans.map(([from, to]) => [from - by, to - by]) }
}

const mostKept = 60
const fading = 0.97

/** How often things were chosen, most first, after one more choice; earlier ones fade. */
export function withChoice(
  before: readonly (readonly [string, number])[],
  key: string,
): (readonly [string, number])[] {
  const faded = before.filter(([one]) => one !== key).map(([one, times]) => [one, times * fading] as const)
  const times = before.find(([one]) => one === key)?.[1] ?? 0
  return [[key, times * fading + 1] as const, ...faded].sort((a, b) => b[1] - a[1]).slice(0, mostKept)
}
