import type { allOrganizations as en } from '../en/all-organizations.ts'
import { plural } from './grammar.ts'

export const allOrganizations: typeof en = {
  name: 'Alle Organisationen',
  title: (page) => `${page}, alle Organisationen`,
  search: 'In allen Organisationen suchen',
  searchPlaceholder: 'Zu einer Unterhaltung oder Person irgendeiner Organisation',
  organizations: 'Organisationen',
  people: 'Mit wem du am meisten sprichst',
  newMessageIn: 'Neue Nachricht in',
  synced: (synced, count) =>
    `${synced} von ${plural(count, { one: '# Server', other: '# Servern' })} synchronisiert`,
  unread: (count) => plural(count, { one: '# ungelesen', other: '# ungelesen' }),
  nothingFits: 'Nichts Ungelesenes dieser Art.',
  none: {
    mentions: 'Keine Erwähnungen auf diesem Gerät.',
    starred: 'Keine markierten Nachrichten auf diesem Gerät.',
    drafts: 'Keine Entwürfe, und nichts wartet.',
  },
  allOf: { mentions: 'Alle Erwähnungen', starred: 'Alle markierten Nachrichten' },
  order: 'Reihenfolge',
  orders: { organization: 'Nach Organisation', time: 'Nach Zeit' },
  filter: 'Anzeigen',
  filters: { all: 'Alle', 'for-me': 'Für mich', followed: 'Gefolgt' },
  nothingUnread: 'Nichts Ungelesenes.',
  more: (count) => plural(count, { one: '# weitere Unterhaltung', other: '# weitere Unterhaltungen' }),
  keys: {
    move: 'Bewegen',
    open: 'In ihrer Organisation öffnen',
    markRead: 'Als gelesen markieren',
    organization: 'Organisation wechseln',
  },
  states: {
    connecting: 'Verbindung wird hergestellt',
    synced: 'Synchronisiert',
    syncing: 'Wird synchronisiert',
    offline: 'Offline',
    unreachableSince: (time) => `Seit ${time} nicht erreichbar`,
    signedOut: 'Anmelden, um zu synchronisieren',
    incompatible: 'Keine Synchronisierung möglich',
    cannotSave: 'Kein Sichern möglich',
    messagesNeedYou: (count) =>
      plural(count, { one: '# Nachricht braucht dich', other: '# Nachrichten brauchen dich' }),
    changesNeedYou: (count) =>
      plural(count, { one: '# Änderung braucht dich', other: '# Änderungen brauchen dich' }),
  },
  waiting: (state, count) => `${state}, ${plural(count, { one: '# wartet', other: '# warten' })}`,
  showingDevice: (state) => `${state}, du siehst, was auf diesem Gerät ist`,
}
