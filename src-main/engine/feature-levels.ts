/** Servers below this level do not say what they are, and lack most of what this app is made of. */
export const oldestLevel = 1

/** What a server lacks below each level, in words for people (the specification tags levels throughout). */
const missing: readonly (readonly [level: number, words: string])[] = [
  [80, 'Settings made here stay on this device.'],
  [87, 'Drafts stay on this device.'],
  [170, 'Topics cannot be muted or followed.'],
  [334, 'Messages need a topic.'],
  [389, 'Channels are not grouped in folders.'],
]

/** What this app cannot do with a server of this level; empty when nothing is missing. */
export function missingBelow(featureLevel: number): string[] {
  return missing.filter(([level]) => featureLevel < level).map(([, words]) => words)
}
