import type { topics as en } from '../en/topics.ts'
import { number, plural } from './grammar.ts'

export const topics: typeof en = {
  name: 'Themen',
  find: 'Thema suchen',
  which: 'Welche Themen',
  resolved: { any: 'Alle', no: 'Offen', yes: 'Erledigt' },
  onlyUnread: 'Ungelesen',
  onlyFollowed: 'Gefolgt',
  total: (count) => plural(count, { one: '# Thema', other: '# Themen' }),
  totalOnDevice: (count) =>
    plural(count, { one: '# Thema auf diesem Gerät bekannt', other: '# Themen auf diesem Gerät bekannt' }),
  someMissing: (reason) => `Vielleicht fehlen Themen. ${reason}`,
  offline: (back) => `Themen, die dieses Gerät nicht kennt, stehen hier, ${back}.`,
  noneNamed: (words) => `Kein Treffer für „${words}“.`,
  noneYet: 'Noch keine Themen. Beginne eins mit C.',
  noneOfKind: 'Keine Themen dieser Art.',
  showMore: (count) => `${number(count)} weitere zeigen`,
}
