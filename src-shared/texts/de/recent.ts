import type { recent as en } from '../en/recent.ts'
import { list, plural } from './grammar.ts'

export const recent: typeof en = {
  name: 'Letzte Unterhaltungen',
  find: 'Unterhaltungen filtern',
  filters: {
    withDirects: 'Direktnachrichten',
    onlyUnread: 'Ungelesen',
    onlyOwn: 'Selbst beteiligt',
    withMuted: 'Auch stumme',
  },
  onDevice: (count) =>
    plural(count, { one: '# Unterhaltung auf diesem Gerät', other: '# Unterhaltungen auf diesem Gerät' }),
  noneNamed: (words) => `Kein Treffer für „${words}“.`,
  lookedBackTo: (day) => `Nur Unterhaltungen zurück bis ${day} wurden durchsucht.`,
  wroteSince: (day) => `Nur Unterhaltungen, in denen du seit dem ${day} geschrieben hast.`,
  noneOfKind: 'Keine Unterhaltungen dieser Art auf diesem Gerät.',
  showOlder: 'Ältere zeigen',
  columns: {
    conversation: 'Unterhaltung',
    topic: 'Thema',
    people: 'Personen',
    lastWriter: 'Zuletzt von',
    messages: 'Nachrichten',
    messagesHere: 'Nachrichten hier',
    latest: 'Neueste',
    unread: 'Ungelesen',
  },
  sortBy: {
    name: { conversation: 'Nach Unterhaltung sortieren', topic: 'Nach Thema sortieren' },
    newest: 'Nach der neuesten sortieren',
    unread: 'Nach Ungelesenen sortieren',
  },
  writers: (names, others) =>
    list(
      others === 0
        ? names
        : [...names, plural(others, { one: '# weitere Person', other: '# weitere Personen' })],
    ),
  draft: 'Entwurf',
  waiting: (count) => plural(count, { one: '# wird noch gesendet', other: '# werden noch gesendet' }),
  notYetHere: 'Noch nicht auf diesem Gerät',
  newestNotYetHere: 'Neueste noch nicht auf diesem Gerät',
  messagesHere: (count) =>
    plural(count, {
      one: '# Nachricht auf diesem Gerät, der Server hat vielleicht mehr',
      other: '# Nachrichten auf diesem Gerät, der Server hat vielleicht mehr',
    }),
  mayHaveMore: 'Nur Nachrichten auf diesem Gerät sind gezählt. Der Server hat vielleicht mehr.',
}
