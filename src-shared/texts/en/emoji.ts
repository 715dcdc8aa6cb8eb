/** The emoji picker. */
export const emoji = {
  name: 'Emoji',
  choose: 'Choose an emoji',
  search: 'Search emoji',
  noneNamed: 'No match.',
  /** Beside the key that does it. */
  add: 'add',
  found: 'Found',
  often: 'Often used',
  tone: (name: string) => `Skin tone: ${name}`,
  /** The lightest first, after none. */
  tones: ['none', 'light', 'medium light', 'medium', 'medium dark', 'dark'],
  organization: 'This organization',
  groups: {
    smileys: 'Smileys and emotion',
    people: 'People and gestures',
    nature: 'Animals and nature',
    food: 'Food and drink',
    travel: 'Travel and places',
    activities: 'Activities',
    objects: 'Objects',
    symbols: 'Symbols',
    flags: 'Flags',
  },
}
