import type { accountSettings as en } from '../en/account-settings.ts'

export const accountSettings: typeof en = {
  ownName: {
    title: 'Name',
    help: 'Neben deinen Nachrichten und in Listen von Personen',
    also: 'vollständiger name anzeigename umbenennen profil',
  },
  ownPicture: {
    title: 'Bild',
    help: 'Neben deinem Namen. Gezeigt wird die Mitte als Quadrat.',
    also: 'avatar foto profilbild hochladen',
  },
  profileFields: {
    title: 'Über dich',
    help: 'Was deine Organisation in deinem Profil von dir zeigt',
    also: 'pronomen geburtstag link telefon beruf eigene profilfelder',
  },
  ownEmail: {
    title: 'E-Mail-Adresse',
    help: 'Zum Anmelden und für E-Mails vom Server',
    also: 'mail profil',
  },
  ownPassword: {
    title: 'Passwort',
    help: 'Zum Anmelden auf einem anderen Gerät',
    also: 'kennwort sicherheit profil',
  },
  colorScheme: {
    title: 'Farben',
    help: 'Hell, dunkel oder wie das System',
    also: 'dark mode nacht farbschema design theme',
  },
  highContrast: {
    title: 'Mehr Kontrast',
    help: 'Kräftigere Ränder und deutlicheres Grau',
    also: 'barrierefreiheit',
  },
  fontSize: { title: 'Textgröße', also: 'schrift größer kleiner zoom' },
  lineHeight: { title: 'Zeilenabstand', also: 'höhe abstand' },
  fluidWidth: {
    title: 'Die ganze Breite nutzen',
    help: 'Aus hält die Zeilen der Nachrichten kurz genug zum Lesen',
    also: 'layout breit',
  },
  language: {
    title: 'Sprache',
    help: 'Der App und der E-Mails vom Server',
    also: 'übersetzung language',
  },
  emojiSet: {
    title: 'Emoji',
    help: 'Wie Google (auch statt der früheren Blobs) oder Twitter sie zeichnet, oder mit ihrem Namen',
    also: 'emoticon smiley text bilder noto twemoji blob',
  },
  imageAnimation: {
    title: 'Bewegte Bilder',
    help: 'Wann sich Bilder in Nachrichten bewegen',
    also: 'gif animation vorschau',
    choices: { always: 'Immer', 'on-hover': 'Unter dem Mauszeiger', never: 'Nie' },
  },
  twentyFourHourTime: { title: 'Uhrzeit', also: 'uhr 12 24 stunden format' },
  timezone: {
    title: 'Zeitzone',
    help: 'Ihre Zeit sehen andere neben deinem Namen, und E-Mails nutzen sie',
    also: 'uhr land reise',
  },
  suggestsTimezone: {
    title: 'Anbieten, die Zeitzone zu wechseln',
    help: 'Wenn dieser Computer in einer anderen ist',
    also: 'uhr land reise',
  },
  channelFolders: { title: 'Kanäle nach Ordnern gruppieren', help: 'Aus ordnet sie nach Namen' },
  inactiveChannels: {
    title: 'Stille Kanäle abtrennen',
    help: 'Wo lange niemand geschrieben hat, am Ende ihres Ordners',
    also: 'inaktiv ausblenden ruhig',
    choices: { automatic: 'Wenn es viele sind', always: 'Immer', never: 'Nie' },
  },
  channelCounts: {
    title: 'Ungelesenes zählen für',
    help: 'Stumme Themen werden nie gezählt',
    also: 'ungelesen zähler zahl',
    choices: { all: 'Alle Kanäle', unmuted: 'Nicht stumme Kanäle', none: 'Keine Kanäle' },
  },
  sectionCounts: {
    title: 'Eingeklappte Gruppen zählen',
    help: 'Was in einem geschlossenen Ordner ungelesen ist',
  },
  starredCounts: { title: 'Anzahl der markierten Nachrichten' },
  userListStyle: {
    title: 'Liste der Personen',
    also: 'benutzer bild status kompakt',
    choices: {
      compact: 'Namen',
      'with-status': 'Namen und Status',
      'with-avatar': 'Bilder, Namen und Status',
    },
  },
  peopleOnLeft: {
    title: 'Personen links',
    help: 'In schmalen Fenstern, neben den Kanälen',
    also: 'benutzerliste seite',
  },
  homeView: {
    title: 'Startansicht',
    help: 'Öffnet sich beim Start',
    also: 'standard eingang letzte gemeinsamer verlauf',
    choices: { inbox: 'Eingang', recent: 'Letzte Unterhaltungen', combined: 'Gemeinsamer Verlauf' },
  },
  escapeGoesHome: {
    title: 'Esc führt zur Startansicht',
    help: 'Wenn nichts mehr zu schließen ist',
    also: 'escape',
  },
  channelView: {
    title: 'Ein Klick auf einen Kanal öffnet',
    also: 'standard thema verlauf link',
    choices: {
      'top-topic': 'Sein neuestes Thema',
      'top-unread-topic': 'Sein neuestes ungelesenes Thema',
      feed: 'Alles darin',
      topics: 'Die Liste seiner Themen',
    },
  },
  markReadOnScroll: {
    title: 'Nachrichten als gelesen markieren',
    also: 'scrollen ungelesen',
    choices: {
      always: 'Wenn du an ihnen vorbeiblätterst',
      'in-conversations': 'In Themen und Direktnachrichten',
      never: 'Nur wenn du es sagst',
    },
  },
  resolvedNoticesRead: {
    title: 'Hinweise auf erledigte Themen als gelesen markieren',
    help: 'Das macht der Server, sobald sie kommen',
    choices: { always: 'Immer', 'except-followed': 'Außer in Themen, denen du folgst', never: 'Nie' },
  },
  reactionNames: { title: 'Namen an Reaktionen', help: 'Wer reagiert hat, solange es höchstens drei sind' },
  receivesTyping: { title: 'Zeigen, wer gerade schreibt', also: 'tippt hinweis anzeige' },
  enterSends: {
    title: 'Eingabetaste sendet',
    help: 'Aus: die Eingabetaste beginnt eine neue Zeile, mit Strg sendet sie',
    also: 'enter return zeilenumbruch',
  },
  goesToSent: {
    title: 'Zur gesendeten Nachricht gehen',
    help: 'Wenn du sie aus einem Verlauf mit vielen Themen sendest',
  },
  translatesEmoticons: {
    title: 'Aus Emoticons Emoji machen',
    help: 'Das macht der Server beim Senden: aus :) wird 🙂',
    also: 'smiley umwandeln',
  },
  sendsTopicTyping: { title: 'In Kanälen zeigen, dass du schreibst', also: 'tippt hinweis' },
  sendsDirectTyping: { title: 'In Direktnachrichten zeigen, dass du schreibst', also: 'tippt' },
  followsTopics: {
    title: 'Themen folgen,',
    also: 'automatisch',
    choices: {
      participating: 'in denen ich reagiere, abstimme oder schreibe',
      sending: 'in denen ich schreibe',
      starting: 'die ich beginne',
      never: 'nie',
    },
  },
  followsMentions: { title: 'Themen folgen, in denen dich jemand erwähnt' },
  unmutesTopics: {
    title: 'In stummen Kanälen Themen nicht mehr stummschalten,',
    also: 'automatisch',
    choices: {
      participating: 'in denen ich reagiere, abstimme oder schreibe',
      sending: 'in denen ich schreibe',
      starting: 'die ich beginne',
      never: 'nie',
    },
  },
  matrix: {
    title: 'Benachrichtige mich über',
    also: 'direktnachrichten erwähnungen themen kanäle desktop ton mobil push e-mail',
  },
  wildcardMentionsNotify: {
    title: 'Erwähnungen an alle',
    help: '@all, @everyone und @channel zählen als Erwähnungen',
  },
  followedWildcardMentionsNotify: {
    title: 'Erwähnungen an alle in Themen, denen du folgst',
    help: 'Auch @topic',
  },
  directTextInNotices: {
    title: 'Text von Direktnachrichten',
    help: 'Aus zeigt nur, wer geschrieben hat',
    also: 'inhalt privatsphäre',
  },
  iconCount: {
    title: 'Zahl auf dem Symbol der App',
    also: 'dock taskleiste zähler',
    choices: {
      all: 'Alle ungelesenen Nachrichten',
      'personal-and-followed': 'Für dich, und Themen, denen du folgst',
      personal: 'Direktnachrichten und Erwähnungen',
      none: 'Keine Zahl',
    },
  },
  mobileWhileOnline: { title: 'Mobil auch, während du an diesem Computer bist', also: 'push online' },
  emailDelaySeconds: {
    title: 'Vor dem Senden von E-Mails warten',
    help: 'Was inzwischen kommt, steht in derselben E-Mail',
    also: 'bündeln verzögerung',
  },
  textInEmails: { title: 'Text der Nachrichten in E-Mails', also: 'inhalt privatsphäre' },
  organizationNameInEmails: {
    title: 'Name der Organisation in E-Mails',
    choices: { automatic: 'Wenn du in mehreren bist', always: 'Immer', never: 'Nie' },
  },
  digestEmails: { title: 'Eine Zusammenfassung, wenn du weg bist' },
  loginEmails: { title: 'E-Mail bei neuen Anmeldungen', also: 'sicherheit login' },
  newsEmails: { title: 'Neuigkeiten von denen, die den Server betreiben', also: 'werbung' },
  alertWords: {
    title: 'Signalwörter',
    help: 'Eine Nachricht mit einem davon benachrichtigt dich wie eine Erwähnung, und das Wort ist hervorgehoben',
    also: 'stichwort hervorheben alarm benachrichtigen',
  },
  mutedPeople: {
    title: 'Stummgeschaltete Personen',
    help: 'Was sie schreiben, ist eingeklappt und benachrichtigt dich nicht',
    also: 'blockieren ignorieren verbergen',
  },
  chosenTopics: {
    title: 'Stumme und gefolgte Themen',
    help: 'Wo du etwas anderes gewählt hast als den Standard',
    also: 'stummschalten folgen sichtbarkeit',
  },
  sharesPresence: { title: 'Zeigen, wann du da bist', also: 'anwesenheit online status' },
  sendsReadReceipts: { title: 'Andere sehen lassen, was du gelesen hast', also: 'lesebestätigung' },
  emailVisibility: {
    title: 'Wer deine E-Mail-Adresse sieht',
    choices: {
      everyone: 'Alle, auch Gäste',
      members: 'Mitglieder',
      moderators: 'Moderation und Administration',
      admins: 'Administration',
      nobody: 'Niemand',
    },
  },
  allowsExport: {
    title: 'Der Administration erlauben, deine Direktnachrichten zu exportieren',
    also: 'private daten',
  },
  draftsSynchronized: {
    title: 'Entwürfe auf allen deinen Geräten',
    help: 'Aus löscht die Kopien auf dem Server. Was auf diesem Computer ist, bleibt.',
    also: 'synchronisieren',
  },
}
