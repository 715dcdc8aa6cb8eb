import type { JumpTarget, SearchResult } from '../../../src-shared/model/search-results.ts'
import type { AccountId, MessageId } from '../../../src-shared/ids.ts'
import { conversationKey } from '../../../src-shared/model/conversation.ts'
import { isResolved, topicWithoutMark } from '../../../src-shared/topic-names.ts'
import { foldName, matchNames, wordsOf } from '../../../src-shared/model/name-match.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import type { Marked } from '../../parts/marked-text.ts'
import type { Doable } from '../../state/keys/doable.ts'
import type { SavedSearch } from '../../state/searches-of.ts'
import type { SettingsPage } from '../../state/navigation/settings-pages.ts'
import type { Route } from '../../state/navigation/route.svelte.ts'
import type { ShortcutName } from '../../state/keys/shortcuts.ts'
import { findRows } from '../settings/setting-rows.ts'

/** One choice in the palette. */
export interface PaletteEntry {
  /** The key under which choices are counted; unique among the entries. */
  readonly key: string
  readonly name: Marked
  readonly detail: Marked
  readonly subject:
    | { readonly kind: 'target'; readonly target: JumpTarget }
    | { readonly kind: 'act'; readonly doable: Doable }
    /** The name is the message's text, unless only its topic matches (`isInTopic`); the detail is the other. */
    | { readonly kind: 'message'; readonly result: SearchResult; readonly isInTopic: boolean }
    | { readonly kind: 'search' }
    | { readonly kind: 'saved-search'; readonly search: SavedSearch }
    /** A page of the settings, or one setting on it. */
    | { readonly kind: 'setting'; readonly page: SettingsPage; readonly row: string | null }
}

/** The entries below one heading. */
export interface PaletteSection {
  /** Unique among the sections. */
  readonly key: string
  /** The account of the entries. */
  readonly accountId: AccountId
  readonly name: string
  /** The total number of results, in words, if some are not shown; null otherwise. */
  readonly count: string | null
  readonly entries: readonly PaletteEntry[]
}

/** The results of a palette while a person types in it. */
export interface PaletteFindings {
  typed: string
  /** The text to find, without the sign that restricts the search. */
  readonly text: string
  readonly sections: readonly PaletteSection[]
  /** Whether the sections answer the typed text. */
  readonly isAnswered: boolean
}

/** A section with entries; empty if there are none. */
export const section = (
  {
    key,
    accountId,
    name,
    count = null,
  }: Omit<PaletteSection, 'entries' | 'count'> & { count?: string | null },
  entries: readonly PaletteEntry[],
): PaletteSection[] => (entries.length === 0 ? [] : [{ key, accountId, name, count, entries }])

/** The route that a choice leads to; null for actions, and for what opens over the window. */
export function routeOf(accountId: AccountId, subject: PaletteEntry['subject']): Route | null {
  const feed = (narrow: Narrow, near: MessageId | null = null): Route => ({
    view: 'feed',
    accountId,
    narrow,
    near,
  })
  if (subject.kind === 'saved-search') return { view: 'search', accountId, text: subject.search.text }
  if (subject.kind === 'setting') return { view: 'settings', accountId, page: subject.page, row: subject.row }
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

/** What a leading sign restricts the search to. */
export type Scope = 'everything' | 'channels' | 'people' | 'acts'

/** The scope of the typed text's leading sign, and the rest of the text. */
export function scopeOf(typed: string): { readonly scope: Scope; readonly text: string } {
  const scope = ({ '#': 'channels', '@': 'people', '>': 'acts' } as const)[typed.trimStart()[0] ?? '']
  return scope === undefined
    ? { scope: 'everything', text: typed }
    : { scope, text: typed.trimStart().slice(1) }
}

const plain = (text: string): Marked => ({ text, spans: [] })

/** An entry for a target, with the matching parts of its name marked. */
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

/** The key under which choices of a target are counted. */
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

/** Shortcuts that make sense only as keys, or for what is happening already. */
const keysOnly: ReadonlySet<ShortcutName> = new Set([
  'palette',
  'step-out',
  'next-region',
  'previous-region',
  'organization',
])
/** How many points a frequently chosen action gains over one that matches a little better. */
const chosenWorth = 1.5

/** The actions that match, best first. If nothing is typed, actions with an object come first. */
export function actEntries(
  acts: readonly Doable[],
  text: string,
  often: readonly string[],
  limit: number,
): PaletteEntry[] {
  const words = wordsOf(text)
  const named = acts
    .filter(({ name }) => !keysOnly.has(name))
    .map((doable) => ({
      key: `act:${doable.name}`,
      name: doable.words ?? t.shortcuts.actions[doable.name],
      object: doable.object,
      subject: { kind: 'act', doable } as const,
    }))
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

/** The saved searches whose names match, best first. */
export function searchEntries(
  searches: readonly SavedSearch[],
  words: readonly string[],
  limit: number,
): PaletteEntry[] {
  if (words.length === 0) return []
  return searches
    .flatMap((search) => {
      const match = matchNames([search.name], words)
      if (match === null) return []
      const name = { text: search.name, spans: match.spans[0] ?? [] }
      const detail = plain(search.text === search.name ? '' : search.text)
      const subject = { kind: 'saved-search', search } as const
      return [{ entry: { key: `saved-search:${search.text}`, name, detail, subject }, score: match.score }]
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ entry }) => entry)
}

/** A word of fewer letters is part of the help of almost any setting. */
const fewestLetters = 3

/** The settings that match, best first, after the pages whose names do. */
export function settingEntries(text: string, pages: readonly SettingsPage[], limit: number): PaletteEntry[] {
  const words = wordsOf(text)
  if (text.trim().length < fewestLetters) return []
  const marked = (name: string): Marked => ({ text: name, spans: matchNames([name], words)?.spans[0] ?? [] })
  const ofPages = pages.flatMap((page): PaletteEntry[] => {
    const name = t.settings.pages[page]
    const isMeant = words.every((word) => foldName(name).includes(word))
    const subject = { kind: 'setting', page, row: null } as const
    return isMeant ? [{ key: `setting:${page}`, name: marked(name), detail: plain(''), subject }] : []
  })
  const ofRows = findRows(text, pages).map(({ page, row }): PaletteEntry => ({
    key: `setting:${page}:${row.scope}:${row.name}`,
    name: marked(row.title),
    detail: plain(t.settings.pages[page]),
    subject: { kind: 'setting', page, row: row.name },
  }))
  return [...ofPages, ...ofRows].slice(0, limit)
}

/** An entry for a found message, with its place. */
export function messageEntry(result: SearchResult): PaletteEntry {
  const words = fromFirstMark({ text: result.excerpt, spans: result.matches })
  const { label } = result
  const place =
    label.kind === 'topic'
      ? { text: label.topic, spans: result.topicMatches }
      : { text: label.names.join(', '), spans: [] }
  // The matching part comes first: the message's text, or the topic if only that matches.
  const isInTopic = words.spans.length === 0 && place.spans.length > 0
  return {
    key: `message:${result.messageId}`,
    name: isInTopic ? place : words,
    detail: isInTopic ? words : place,
    subject: { kind: 'message', result, isInTopic },
  }
}

const mostBefore = 30

/** Cuts a text to start a little before its first mark, so that one line shows the mark. */
export function fromFirstMark({ text, spans }: Marked): Marked {
  const first = spans[0]?.[0] ?? 0
  if (first <= mostBefore) return { text, spans }
  const start = text.lastIndexOf(' ', first - 12) + 1
  const by = start - 1
  return { text: `…${text.slice(start)}`, spans: spans.map(([from, to]) => [from - by, to - by]) }
}

const mostKept = 60
const fading = 0.97

/** The counts of choices after one more choice, highest first; older choices fade. */
export function withChoice(
  before: readonly (readonly [string, number])[],
  key: string,
): (readonly [string, number])[] {
  const faded = before.filter(([one]) => one !== key).map(([one, times]) => [one, times * fading] as const)
  const times = before.find(([one]) => one === key)?.[1] ?? 0
  return [[key, times * fading + 1] as const, ...faded].sort((a, b) => b[1] - a[1]).slice(0, mostKept)
}
