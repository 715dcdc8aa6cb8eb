import type { mainWindow as en } from '../en/main-window.ts'
import { number, plural } from './grammar.ts'

export const mainWindow: typeof en = {
  showSidebar: 'Seitenleiste zeigen',
  hideSidebar: 'Seitenleiste ausblenden',
  title: (place, organization) => `${place}, ${organization}`,
  placeIn: (place, channel) => `${place}, ${channel}`,
  search: { online: 'Suchen oder zu einer Unterhaltung springen', offline: 'Auf diesem Gerät suchen' },
  rail: {
    name: 'Organisationen',
    all: 'Alle Organisationen',
    add: 'Organisation hinzufügen',
    unread: (count) => plural(count, { one: '# ungelesen', other: '# ungelesen' }),
    unreachable: 'nicht erreichbar',
  },
  account: {
    add: 'Organisation hinzufügen',
    setStatus: 'Status setzen',
    status: 'Dein Status',
    pause: 'Benachrichtigungen aussetzen',
    pauseAll: 'Benachrichtigungen aller Organisationen aussetzen',
    resume: 'Wieder benachrichtigen',
    shortcuts: 'Tastenkürzel',
    settings: 'Einstellungen',
    signOut: (name) => `${name} abmelden`,
    signOutAndDiscard: 'Abmelden und verwerfen',
  },
  quietUntil: (moment) => `Keine Benachrichtigungen bis ${moment}`,
  widths: {
    sidebar: 'Breite der Seitenleiste',
    people: 'Breite der Personenliste',
    hint: 'Ziehen ändert die Breite, Doppelklick setzt sie zurück',
  },
  people: {
    name: 'Personen',
    filter: 'Personen filtern',
    people: 'Personen',
    bots: 'Bots',
    asOfLastSync: (group) => `${group}, Stand der letzten Synchronisierung`,
    guest: 'Gast',
  },
  sidebar: {
    name: 'Ansichten und Kanäle',
    newMessage: 'Neue Nachricht',
    filter: 'Filtern',
    filterWhat: 'Ansichten, Personen, Kanäle und Themen filtern',
    inbox: 'Eingang',
    recent: 'Letzte Unterhaltungen',
    combined: 'Gemeinsamer Verlauf',
    mentions: 'Erwähnungen',
    reactions: 'Reaktionen',
    starred: 'Markiert',
    drafts: 'Entwürfe und Postausgang',
    scheduled: 'Geplant',
    reminders: 'Erinnerungen',
    searches: 'Suchen',
    directs: 'Direktnachrichten',
    allDirects: 'Alle Direktnachrichten',
    newDirect: 'Neue Direktnachricht',
    showMore: (count) => `${number(count)} weitere zeigen`,
    needsYou: (count) => plural(count, { one: '# braucht dich', other: '# brauchen dich' }),
    entries: (count) => plural(count, { one: '# Eintrag', other: '# Einträge' }),
    folders: {
      pinned: 'Angeheftet',
      others: 'Andere Kanäle',
      channels: 'Kanäle',
      inactive: 'Inaktive Kanäle',
    },
  },
  sync: {
    name: 'Synchronisierung',
    waiting: (count) => plural(count, { one: '# wartet', other: '# warten' }),
    isAway: (time) => `Offline seit ${time}`,
    isThere: 'Alle Änderungen gehen von selbst zum Server',
    awayText:
      'Du kannst lesen, suchen, schreiben und reagieren. Alles hier unten wird der Reihe nach von selbst gesendet, sobald du wieder online bist.',
    lastHeard: (count, time) =>
      plural(count, {
        one: `# Änderung wartet. Zuletzt gehört um ${time}.`,
        other: `# Änderungen warten. Zuletzt gehört um ${time}.`,
      }),
    neverHeard: (count) =>
      plural(count, {
        one: '# Änderung wartet. Noch nie vom Server gehört.',
        other: '# Änderungen warten. Noch nie vom Server gehört.',
      }),
    openOutbox: 'Postausgang öffnen',
    allowNotifications: 'Benachrichtigungen erlauben',
    tryNow: 'Jetzt versuchen',
    network: 'Netzwerk',
    diagnostics: 'Diagnose',
  },
  banners: {
    signedOut:
      'Der Schlüssel dieses Kontos gilt nicht mehr. Du kannst weiter lesen und schreiben, alles wartet hier.',
    signIn: 'Anmelden, um zu synchronisieren',
    dismiss: 'Ausblenden',
  },
  signInAgain: {
    title: 'Melde dich wieder an, um zu synchronisieren',
    text: (email) =>
      `Alles auf diesem Gerät bleibt lesbar, Entwürfe und Postausgang bleiben. Was wartet, wird gesendet, sobald du dich als ${email} anmeldest.`,
    ways: { password: 'Passwort', 'api-key': 'API-Schlüssel' },
    later: 'Offline weiterarbeiten',
    signIn: 'Anmelden',
  },
}
