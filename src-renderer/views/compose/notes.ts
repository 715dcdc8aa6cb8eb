import type { ChannelSummary } from '../../../src-shared/model/channel.ts'
import type { ComposeFacts } from '../../../src-shared/bridge/suggestion.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** An action that removes the reason for a note; "silence" makes these marks of mentions silent ones. */
export type NoteAct =
  | { readonly kind: 'add' | 'join' | 'unresolve' | 'unmute' }
  | { readonly kind: 'silence'; readonly marks: readonly string[] }

interface ComposeNote {
  readonly words: string
  /** Null if nothing can be done about it here. */
  readonly act: NoteAct | null
}

/** The marks of the mentions that notify many people at once. */
const crowdMarks = {
  channel: ['**all**', '**everyone**', '**channel**', '**stream**'],
  topic: ['**topic**'],
} as const

/** Turns the mentions with these marks into silent ones. */
export function withSilentMentions(text: string, marks: readonly string[]): string {
  const all = marks.map((mark) => mark.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  return text.replace(new RegExp(`(?<![\\w@])@(${all})(?!\\*)`, 'gi'), '@_$1')
}

/** What a person should know before sending, one line each; empty if there is nothing. */
export function composeNotes(about: {
  readonly facts: ComposeFacts | undefined
  /** Whether it is a new message; one that is edited has its place already. */
  readonly isNew: boolean
  readonly isResolved: boolean
  /** Whether the person may remove the mark. */
  readonly mayUnresolve: boolean
  /** Whether the person may add others to the channel. */
  readonly mayAdd: boolean
  readonly channel: Pick<ChannelSummary, 'name' | 'isSubscribed' | 'isMuted'> | null
}): ComposeNote[] {
  const notes: ComposeNote[] = []
  const note = (words: string, act: NoteAct | null = null) => notes.push({ words, act })
  const { facts, channel } = about
  const crowd = facts?.crowd ?? null
  if (crowd !== null && channel !== null)
    note(crowdWords(crowd, channel.name), { kind: 'silence', marks: crowdMarks[crowd.of] })
  const barred = facts?.barredGroups ?? []
  if (barred.length > 0)
    note(t.compose.notes.barredGroups(barred), {
      kind: 'silence',
      marks: barred.map((name) => `*${name}*`),
    })
  const outsiders = facts?.outsiders.map(({ fullName }) => fullName) ?? []
  if (outsiders.length > 0 && channel !== null)
    note(t.compose.notes.outsiders(outsiders, channel.name), about.mayAdd ? { kind: 'add' } : null)
  const privateChannels = facts?.privateChannels ?? []
  if (privateChannels.length > 0) note(t.compose.notes.privateChannels(privateChannels))
  if (!about.isNew) return notes
  const guests = facts?.guests.map(({ fullName }) => fullName) ?? []
  if (guests.length > 0) note(t.compose.notes.guests(guests))
  if (about.isResolved) note(t.compose.notes.resolved, about.mayUnresolve ? { kind: 'unresolve' } : null)
  if (channel !== null && !channel.isSubscribed) {
    note(t.compose.notes.notSubscribed(channel.name), { kind: 'join' })
  } else if (facts?.visibility === 'muted' || (channel?.isMuted === true && facts?.visibility === 'none')) {
    note(t.compose.notes.muted, { kind: 'unmute' })
  }
  return notes
}

function crowdWords({ of, count, isAllowed }: NonNullable<ComposeFacts['crowd']>, channelName: string) {
  const { notes } = t.compose
  return of === 'channel'
    ? (isAllowed ? notes.notifies : notes.mayNotNotify)(count, channelName)
    : (isAllowed ? notes.notifiesTopic : notes.mayNotNotifyTopic)(count)
}
