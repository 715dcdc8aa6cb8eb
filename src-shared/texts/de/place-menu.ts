import type { placeMenu as en } from '../en/place-menu.ts'

export const placeMenu: typeof en = {
  names: {
    channel: 'Aktionen für den Kanal',
    topic: 'Aktionen für das Thema',
    direct: 'Aktionen für die Unterhaltung',
    search: 'Aktionen für die Suche',
    folders: 'Aktionen für die Ordner',
  },
  markRead: 'Als gelesen markieren',
  markAllRead: 'Alles als gelesen markieren',
  channelFeed: 'Alles in diesem Kanal',
  topics: 'Liste der Themen',
  mute: 'Kanal stummschalten',
  unmute: 'Kanal nicht mehr stummschalten',
  pin: 'Oben anheften',
  unpin: 'Nicht mehr anheften',
  leave: 'Kanal verlassen',
  copyLink: 'Link kopieren',
  renameOrMove: 'Umbenennen oder verschieben …',
  profile: 'Profil',
  profileOf: (name) => `Profil von ${name}`,
  expandAll: 'Alle Ordner aufklappen',
  collapseAll: 'Alle Ordner zuklappen',
  removeSearch: 'Diese Suche entfernen',
  gone: 'Von diesem Thema ist auf diesem Gerät nichts mehr da.',
}
