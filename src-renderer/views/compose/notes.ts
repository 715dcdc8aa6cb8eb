import type { ChannelSummary } from '../../../src-shared/bridge/queries.ts'
import type { ComposeFacts } from '../../../src-shared/bridge/suggestion.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** How many people a wildcard may reach without a word about it. */
const quietReach = 15

/** The names of people in a text as its mentions write them, without silent ones; and whether everyone is meant. */
export function mentionsIn(text: string): { names: string[]; meansEveryone: boolean } {
  const names: string[] = []
  let meansEveryone = false
  // What stands in code mentions nobody.
  const words = text
    .replace(/^\s*(`{3,}|~{3,})[\s\S]*?(?:^\s*\1\s*$|$(?![\s\S]))/gm, '')
    .replace(/(`+)[^`\n]*?\1/g, '')
  for (const [, name = ''] of words.matchAll(/(?<![\w@])@\*\*([^*\n]+)\*\*/g)) {
    if (/^(all|everyone|channel|stream)$/.test(name)) meansEveryone = true
    else if (name !== 'topic') names.push(name)
  }
  return { names, meansEveryone }
}

/** What a person should know before sending, one line each; empty when there is nothing to say. */
export function composeNotes(about: {
  readonly meansEveryone: boolean
  readonly facts: ComposeFacts | undefined
  readonly isResolved: boolean
  readonly channel: Pick<ChannelSummary, 'name' | 'isSubscribed' | 'isMuted'> | null
}): string[] {
  const notes: string[] = []
  const { facts, channel } = about
  const channelName = channel?.name ?? null
  if (about.meansEveryone && channelName !== null && (facts?.everyone ?? 0) > quietReach) {
    notes.push(t.compose.notes.notifies(facts?.everyone ?? 0, channelName))
  }
  const outsiders = facts?.outsiders.map(({ fullName }) => fullName) ?? []
  if (outsiders.length > 0 && channelName !== null) {
    notes.push(t.compose.notes.outsiders(outsiders, channelName))
  }
  const guests = facts?.guests.map(({ fullName }) => fullName) ?? []
  if (guests.length > 0) notes.push(t.compose.notes.guests(guests))
  if (about.isResolved) notes.push(t.compose.notes.resolved)
  if (channel !== null && !channel.isSubscribed) {
    notes.push(t.compose.notes.notSubscribed(channel.name))
  } else if (facts?.visibility === 'muted' || (channel?.isMuted === true && facts?.visibility === 'none')) {
    notes.push(t.compose.notes.muted)
  }
  return notes
}
