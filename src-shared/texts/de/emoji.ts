import type { emoji as en } from '../en/emoji.ts'

export const emoji: typeof en = {
  name: 'Emoji',
  choose: 'Emoji wählen',
  search: 'Emoji suchen',
  noneNamed: 'Kein Treffer.',
  add: 'einfügen',
  found: 'Gefunden',
  often: 'Häufig verwendet',
  tone: (name: string) => `Hautton: ${name}`,
  tones: ['keiner', 'hell', 'mittelhell', 'mittel', 'mitteldunkel', 'dunkel'],
  organization: 'Diese Organisation',
  groups: {
    smileys: 'Smileys und Gefühle',
    people: 'Menschen und Gesten',
    nature: 'Tiere und Natur',
    food: 'Essen und Trinken',
    travel: 'Reisen und Orte',
    activities: 'Aktivitäten',
    objects: 'Gegenstände',
    symbols: 'Symbole',
    flags: 'Flaggen',
  },
}
