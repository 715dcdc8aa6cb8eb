import type { signIn as en } from '../en/sign-in.ts'

export const signIn: typeof en = {
  promise: ['Alle Geräte im Gleichklang,', 'bei jedem Wetter.'],
  promiseHow: 'Lies, suche und schreibe ohne Verbindung. Dunlin sendet alles, sobald das Netz wieder da ist.',
  addOrganization: 'Organisation hinzufügen',
  worksWith: 'Für den Server deines Teams, ob eigener oder gemieteter.',
  address: 'Adresse der Organisation',
  sampleAddress: 'chat.example.org',
  continue: 'Weiter',
  network: 'Netzwerkeinstellungen',
  or: 'oder',
  startDemo: 'Beispielorganisation starten',
  demo: 'Eine belebte Organisation nur auf diesem Computer, mit Personen, die antworten. Ohne Konto.',
  back: 'Zurück',
  signIn: 'Anmelden',
  whereMessagesStay: 'Deine Nachrichten bleiben auf diesem Gerät und auf deinem Server.',
  changeOrganization: 'Ändern',
  olderServer: (lack) => `${lack} Dieser Server ist älter.`,
  way: 'Art der Anmeldung',
  ways: { password: 'Passwort', 'api-key': 'API-Schlüssel' },
  email: 'E-Mail-Adresse',
  missing: {
    address: 'Gib die Adresse der Organisation ein.',
    email: 'Gib deine E-Mail-Adresse ein.',
    password: 'Gib dein Passwort ein.',
    'api-key': 'Gib deinen API-Schlüssel ein.',
  },
  keyInFile:
    'Das Passwort wird einmal verwendet, um vom Server einen Schlüssel zu holen. Der Schlüssel liegt in einer Datei, die nur du lesen kannst.',
  keyInKeychain:
    'Das Passwort wird einmal verwendet, um vom Server einen Schlüssel zu holen. Der Schlüssel kommt in den Schlüsselbund des Systems.',
  looking: 'Organisation wird gesucht',
  signingIn: 'Anmeldung läuft',
  startingDemo: 'Beispielorganisation wird gestartet',
}
