import type { ChannelSummary } from '../../../src-shared/bridge/queries.ts'
import type { ComposeFacts } from '../../../src-shared/bridge/suggestion.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** How many people a wildcard may reach without a note. For more people, the server requires a permission. */
const quietReach = 15

/** The names that a text mentions, without silent mentions, and whether it mentions everyone. */
export function mentionsIn(text: string): { names: string[]; meansEveryone: boolean } {
  const names: string[] = []
  let meansEveryone = false
  // Text in code mentions nobody.
  const words = text
    .replace(/^\s*(`{3,}|~{3,})[\s\S]*?(?:^\s*\1\s*$|$(?![\s\S]))/gm, '')
    .replace(/(`+)[^`\n]*?\1/g, '')
  for (const [, name = ''] of words.matchAll(/(?<![\w@])@\*\*([^*\n]+)\*\*/g)) {
    if (/^(all|everyone|channel|stream)$/.test(name)) meansEveryone = true
    else if (name !== 'topic') names.push(name)
  }
  return { names, meansEveryone }
}

/** An action that removes the reason for a note. */
export type NoteAct = 'add' | 'join' | 'unresolve' | 'unmute' | 'silence'

interface ComposeNote {
  readonly words: string
  /** Null if nothing can be done about it here. */
  readonly act: NoteAct | null
}

/** Turns a text's mentions of everyone into silent ones. */
export const withSilentMentions = (text: string): string =>
  text.replace(/(?<![\w@])@\*\*(all|everyone|channel|stream)\*\*/g, '@_**$1**')

/** What a person should know before sending, one line each; empty if there is nothing. */
export function composeNotes(about: {
  readonly meansEveryone: boolean
  readonly facts: ComposeFacts | undefined
  readonly isResolved: boolean
  /** Whether the person may remove the mark. */
  readonly mayUnresolve: boolean
  /** Whether the person may notify many people at once; undefined while unknown. */
  readonly mayNotifyMany: boolean | undefined
  /** Whether the person may add others to the channel. */
  readonly mayAdd: boolean
  readonly channel: Pick<ChannelSummary, 'name' | 'isSubscribed' | 'isMuted'> | null
}): ComposeNote[] {
  const notes: ComposeNote[] = []
  const note = (words: string, act: NoteAct | null = null) => notes.push({ words, act })
  const { facts, channel } = about
  const channelName = channel?.name ?? null
  if (about.meansEveryone && channelName !== null && (facts?.everyone ?? 0) > quietReach) {
    const words = about.mayNotifyMany === false ? t.compose.notes.mayNotNotify : t.compose.notes.notifies
    note(words(facts?.everyone ?? 0, channelName), 'silence')
  }
  const outsiders = facts?.outsiders.map(({ fullName }) => fullName) ?? []
  if (outsiders.length > 0 && channelName !== null)
    note(t.compose.notes.outsiders(outsiders, channelName), about.mayAdd ? 'add' : null)
  const guests = facts?.guests.map(({ fullName }) => fullName) ?? []
  if (guests.length > 0) note(t.compose.notes.guests(guests))
  if (about.isResolved) note(t.compose.notes.resolved, about.mayUnresolve ? 'unresolve' : null)
  if (channel !== null && !channel.isSubscribed) {
    note(t.compose.notes.notSubscribed(channel.name), 'join')
  } else if (facts?.visibility === 'muted' || (channel?.isMuted === true && facts?.visibility === 'none')) {
    note(t.compose.notes.muted, 'unmute')
  }
  return notes
}
