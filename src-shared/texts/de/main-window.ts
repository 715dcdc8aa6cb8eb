import type { mainWindow as en } from '../en/main-window.ts'
import { number, plural } from './grammar.ts'

export const mainWindow: typeof en = {
  showSidebar: 'Seitenleiste zeigen',
  hideSidebar: 'Seitenleiste ausblenden',
  title: (place, organization) => `${place}, ${organization}`,
  placeIn: (place, channel) => `${place}, ${channel}`,
  search: {
    online: 'Suchen oder zu einer Unterhaltung springen',
    offline: (count) =>
      plural(count, {
        one: '# Nachricht auf diesem Gerät durchsuchen',
        other: '# Nachrichten auf diesem Gerät durchsuchen',
      }),
  },
  noneUnread: {
    topic: 'Keine ungelesenen Themen mehr',
    followed: 'Nichts Ungelesenes mehr in Themen, denen du folgst',
    direct: 'Keine ungelesenen Direktnachrichten mehr',
  },
  rail: {
    name: 'Organisationen',
    all: 'Alle Organisationen',
    add: 'Organisation hinzufügen',
    unread: (count) => plural(count, { one: '# ungelesen', other: '# ungelesen' }),
    forYou: (count) => plural(count, { one: '# für dich', other: '# für dich' }),
    unreachable: 'nicht erreichbar',
    moved: (name, place, count) => `${name}, jetzt ${number(place)} von ${number(count)}`,
    self: (name) => `${name}, du`,
  },
  account: {
    add: 'Organisation hinzufügen',
    setStatus: 'Status setzen',
    status: 'Dein Status',
    pause: 'Benachrichtigungen aussetzen',
    pauseAll: 'Benachrichtigungen überall aussetzen',
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
    inTopic: 'In diesem Thema',
    inConversation: 'In dieser Unterhaltung',
    inChannel: (channel) => `Im Kanal ${channel}`,
    everyone: 'Alle',
    elsewhere: 'Anderswo',
    asOf: (group, time) => `${group}, Stand ${time}`,
    typing: 'schreibt …',
    guest: 'Gast',
  },
  noChannel: 'Öffne zuerst einen Kanal.',
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
    drafts: 'Entwürfe, Postausgang',
    scheduled: 'Geplant',
    reminders: 'Erinnerungen',
    searches: 'Suchen',
    directs: 'Direktnachrichten',
    allDirects: 'Alle Direktnachrichten',
    newDirect: 'Neue Direktnachricht',
    showMore: (count) => `${number(count)} weitere zeigen`,
    showFewer: 'Weniger zeigen',
    needsYou: (count) => plural(count, { one: '# braucht dich', other: '# brauchen dich' }),
    entries: (count) => plural(count, { one: '# Eintrag', other: '# Einträge' }),
    folders: {
      pinned: 'Angeheftet',
      others: 'Andere Kanäle',
      channels: 'Kanäle',
      more: 'Weitere Kanäle',
    },
  },
  history: {
    newest: 'Die neuesten Nachrichten kommen zuerst. Lesen und schreiben kannst du schon.',
    unread: (count) =>
      plural(count, {
        one: 'Dann kommt das Ungelesene: noch # Unterhaltung.',
        other: 'Dann kommt das Ungelesene: noch # Unterhaltungen.',
      }),
    earlier: (share) => `Frühere Nachrichten sind unterwegs auf dieses Gerät, ${share}.`,
  },
  sync: {
    name: 'Synchronisierung',
    waiting: (count) => plural(count, { one: '# wartet', other: '# warten' }),
    sending: (at, of) => `Wird synchronisiert, ${number(at)} von ${number(of)}`,
    awaySince: (time) => `Offline seit ${time}`,
    away: 'Du kannst lesen, suchen, schreiben und reagieren. Alles wird der Reihe nach von selbst gesendet, sobald du wieder online bist.',
    unreachable:
      'Dieser Server antwortet nicht, wie er sollte. Du kannst weiter lesen und schreiben. Alles wird der Reihe nach von selbst gesendet.',
    allThere: (time) => `Alle Änderungen sind auf dem Server, ${time}`,
    onTheirWay: (count) =>
      plural(count, {
        one: '# Änderung ist unterwegs zum Server.',
        other: '# Änderungen sind unterwegs zum Server.',
      }),
    othersThere:
      'Das und was darauf wartet, bleibt hier, bis du entscheidest. Alles andere wird von selbst gesendet.',
    connecting: 'Alles auf diesem Gerät ist bereit. Änderungen werden gesendet, sobald der Server antwortet.',
    nextAttempt: {
      seconds: (count) => `Nächster Versuch in ${number(count)} s`,
      minutes: (count) => `Nächster Versuch in ${number(count)} min`,
      now: 'Wird gerade versucht',
    },
    nextAttemptAloud: {
      seconds: (count) =>
        plural(count, { one: 'Nächster Versuch in # Sekunde', other: 'Nächster Versuch in # Sekunden' }),
      minutes: (count) =>
        plural(count, { one: 'Nächster Versuch in # Minute', other: 'Nächster Versuch in # Minuten' }),
    },
    progress: 'Zeit bis zum nächsten Versuch',
    lastSynced: (time) => `Zuletzt um ${time}`,
    queue: 'Wartet auf den Server',
    states: { queued: 'Wartet', trying: 'Versucht', checking: 'Prüft', needsYou: 'Braucht dich' },
    groups: {
      reactions: (count) => plural(count, { one: '# Reaktion', other: '# Reaktionen' }),
      edits: (count) => plural(count, { one: '# Bearbeitung', other: '# Bearbeitungen' }),
      deletions: (count) => plural(count, { one: '# Löschung', other: '# Löschungen' }),
      moves: (count) => plural(count, { one: '# Verschiebung', other: '# Verschiebungen' }),
      markedRead: (count) =>
        plural(count, {
          one: '# Nachricht als gelesen markiert',
          other: '# Nachrichten als gelesen markiert',
        }),
      markedUnread: (count) =>
        plural(count, {
          one: '# Nachricht als ungelesen markiert',
          other: '# Nachrichten als ungelesen markiert',
        }),
      stars: (count) => plural(count, { one: '# Stern', other: '# Sterne' }),
      topics: (count) =>
        plural(count, { one: '# Thema stumm oder gefolgt', other: '# Themen stumm oder gefolgt' }),
      channels: (count) => plural(count, { one: '# Änderung an Kanälen', other: '# Änderungen an Kanälen' }),
      settings: (count) => plural(count, { one: '# Einstellung', other: '# Einstellungen' }),
      others: (count) => plural(count, { one: '# andere Änderung', other: '# andere Änderungen' }),
    },
    conversations: (count) => plural(count, { one: '# Unterhaltung', other: '# Unterhaltungen' }),
    more: (count) => plural(count, { one: '# weitere im Postausgang', other: '# weitere im Postausgang' }),
    discard: {
      title: 'Verwerfen?',
      titleOfMany: (count) =>
        plural(count, { one: '# Änderung verwerfen?', other: '# Änderungen verwerfen?' }),
      text: 'Der Server hat das noch nicht. Verworfen ist es auch auf diesem Gerät weg.',
      textOfKept:
        'Der Server hat das noch nicht. Verworfen wird es nicht gesendet; der Text bleibt 30 Tage in den Entwürfen unter „Kürzlich gelöscht“.',
      textOfUndecided:
        'Der Server hat das vielleicht schon, das lässt sich nicht sagen. Verworfen wird es nicht noch einmal gesendet.',
      textOfChannel:
        'Der Kanal wird dann nicht angelegt. Was du dafür geschrieben hast, bleibt in den Entwürfen.',
      keepAsDraft: 'Als Entwurf behalten',
      discard: 'Verwerfen',
    },
    peopleAsOf: (time) => `Personen, Stand ${time}`,
    openOutbox: 'Postausgang',
    allowNotifications: 'Benachrichtigungen erlauben',
    tryNow: 'Jetzt versuchen',
    checkNow: 'Jetzt prüfen',
    network: 'Netzwerkdetails',
  },
  banners: {
    disk: {
      'disk-full': (free) =>
        `Dunlin kann auf diesem Datenträger nichts speichern${free === null ? '' : `, ${free} frei`}. Gespeichertes ist sicher.`,
      'read-only':
        'Dunlin kann nicht in seinen Ordner schreiben. Gespeichertes ist sicher. Erlaube dort das Schreiben.',
      'disk-error':
        'Der Datenträger ist gestört. Kopiere Dunlins Ordner auf einen anderen und prüfe dann diesen.',
    },
    chooseWhatToKeep: 'Auswählen, was bleibt',
    signedOut:
      'Dieses Gerät muss sich neu anmelden. Du kannst weiter lesen und schreiben: Was du tust, ist hier sicher und wartet.',
    signIn: 'Anmelden, um zu synchronisieren',
    dismiss: 'Ausblenden',
    otherZone: (here, told) =>
      `Dieses Gerät ist in ${here}. Andere sehen neben deinem Namen die Zeit von ${told}.`,
    takeZone: 'Meine Zeitzone anpassen',
    leaveZone: 'Behalten',
  },
  signInAgain: {
    title: 'Melde dich wieder an, um zu synchronisieren',
    text: (organization) =>
      `${organization} nimmt den Schlüssel dieses Geräts nicht mehr an. Hier geht nichts verloren: Du kannst weiter lesen und schreiben, Entwürfe und Postausgang bleiben.`,
    waiting: 'Wartet auf das Senden',
    changes: (count) =>
      count === 0 ? 'Nichts' : plural(count, { one: '# Änderung', other: '# Änderungen' }),
    synced: 'Zuletzt synchronisiert',
    kept: 'Auf diesem Gerät',
    secrets: {
      password: (email) => `Passwort für ${email}`,
      'api-key': (email) => `API-Schlüssel für ${email}`,
    },
    otherWay: { password: 'API-Schlüssel verwenden', 'api-key': 'Passwort verwenden' },
    show: 'Eingabe zeigen',
    signingIn: 'Anmeldung läuft',
    later: 'Offline weiterarbeiten',
    signIn: 'Anmelden',
  },
}
