import type { quickSwitcher as en } from '../en/quick-switcher.ts'
import { number, plural } from './grammar.ts'

export const quickSwitcher: typeof en = {
  name: 'Gehe zu',
  field: 'Zu einer Unterhaltung, einer Person oder einem Ort springen',
  placeholder: 'Unterhaltung, Person oder Aktion',
  results: 'Was passt',
  sections: {
    acts: 'Aktionen',
    channels: 'Kanäle',
    recent: 'Letzte Unterhaltungen',
    conversations: 'Unterhaltungen',
    people: 'Personen und Gruppen',
    messages: 'Nachrichten auf diesem Gerät',
  },
  searchAll: (words) => `Alle Nachrichten nach „${words}“ durchsuchen`,
  orMore: (count) => `${number(count)}+`,
  noAct: (words) => `Keine Aktion passt zu „${words}“.`,
  nothing: (words) => `Nichts auf diesem Gerät passt zu „${words}“.`,
  keys: { move: 'Bewegen', open: 'Öffnen', channels: 'Kanäle', people: 'Personen', acts: 'Aktionen' },
  channel: {
    mute: 'Kanal stummschalten',
    unmute: 'Kanal nicht mehr stummschalten',
    pin: 'Kanal anheften',
    unpin: 'Kanal nicht mehr anheften',
    leave: 'Kanal verlassen',
  },
  resolvedIn: (channel) => `${channel}, erledigt`,
  people: (count) => plural(count, { one: '# Person', other: '# Personen' }),
  topics: (count) => plural(count, { one: '# Thema', other: '# Themen' }),
  bot: 'Bot',
  group: 'Gruppe',
  groupOf: (people) => `Gruppe, ${people}`,
  mentionsYou: 'erwähnt dich',
  unread: 'ungelesen',
}
