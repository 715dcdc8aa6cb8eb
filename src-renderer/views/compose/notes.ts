import type { MentionReach } from '../../../src-shared/bridge/suggestion.ts'

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
  readonly reach: MentionReach | undefined
  readonly isResolved: boolean
  readonly channelName: string | null
}): string[] {
  const notes: string[] = []
  const { reach, channelName } = about
  if (about.meansEveryone && channelName !== null && (reach?.everyone ?? 0) > quietReach) {
    notes.push(`This notifies all ${reach?.everyone} people in #${channelName}.`)
  }
  const outsiders = reach?.outsiders.map(({ fullName }) => fullName) ?? []
  if (outsiders.length > 0 && channelName !== null) {
    const [first = '', second = ''] = outsiders
    const names =
      outsiders.length === 1
        ? first
        : outsiders.length === 2
          ? `${first} and ${second}`
          : `${first} and ${outsiders.length - 1} others`
    notes.push(
      `${names} ${outsiders.length === 1 ? 'is' : 'are'} not in #${channelName} and may not see this.`,
    )
  }
  if (about.isResolved) notes.push('This topic is marked as resolved.')
  return notes
}
