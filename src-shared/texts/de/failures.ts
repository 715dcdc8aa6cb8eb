import type { failures as en } from '../en/failures.ts'
import { list, number, plural } from './grammar.ts'

const unproven = 'Der Server konnte seine Identität nicht nachweisen:'
const nothingSent = 'An ihn wurde nichts gesendet.'
const checkProxy = 'Prüfe den Proxy in den Netzwerkeinstellungen.'

export const failures: typeof en = {
  notSavedYet: 'Noch nicht auf diesem Gerät gespeichert. Der Text bleibt, solange dieses Fenster offen ist.',
  notQueued: (reason) => `Nicht im Postausgang, der Text steht noch hier. ${reason}`,
  ours: 'In Dunlin ist etwas schiefgegangen. Es versucht es noch einmal.',
  startingAgain: 'Die App startet gerade neu.',
  noSuchAccount: 'Dieses Konto gibt es nicht.',
  unsafeLink: 'Links dieser Art werden von hier aus nicht geöffnet.',
  noDemo: 'Die Beispielorganisation lässt sich hier nicht starten.',
  demoTooSlow: 'Die Beispielorganisation ist nicht rechtzeitig gestartet.',
  demoEnded: (code) => `Die Beispielorganisation hat sich beim Starten beendet (${code}).`,
  demoLost: 'Die Beispielorganisation hat nicht gesagt, wo sie ist.',
  draftGone: 'Diesen Entwurf gibt es nicht mehr.',
  versionGone: 'Diese Fassung gibt es nicht mehr.',
  onItsWay: 'Diese Nachricht ist schon unterwegs.',
  mayHaveArrived: 'Der Server hat das vielleicht schon. Versuche es noch einmal, wenn das geklärt ist.',
  sentAlready: 'Das wartet nicht mehr: Der Server hat es.',
  unreadableChange:
    'Diese Version von Dunlin kann diese Änderung nicht lesen und sendet sie deshalb nicht. Vielleicht kann es eine neuere; sonst verwirf sie.',
  notAdded: 'Nicht hinzugefügt. Es gibt schon zu viele.',
  goneMeanwhile: 'Das gibt es nicht mehr: Es wurde inzwischen gelöscht oder gesendet.',
  cannotTakeBack:
    'Diese Nachricht lässt sich nicht mehr zurückholen. Du kannst sie dort, wo sie steht, bearbeiten oder löschen.',
  sentMeanwhile:
    'Nicht abgesagt. Die Nachricht wurde schon gesendet. Du kannst sie dort, wo sie steht, löschen.',
  mayNotTakeBack: 'Der Server hat diese Nachricht, und du darfst sie nicht löschen.',
  fileGone:
    'Eine Datei dieser Nachricht ist nicht mehr auf diesem Gerät. Entferne sie oder füge sie noch einmal hinzu.',
  fileTooLarge: (most: string) => `Sie ist größer, als dieser Server erlaubt: höchstens ${most}.`,
  fileInterrupted: 'Das Kopieren der Datei wurde unterbrochen. Entferne sie und füge sie noch einmal hinzu.',
  fileWithoutAddress: 'Der Server hat die Datei angenommen, aber nicht gesagt, wo sie liegt.',
  fileGrew: 'Die Datei wurde beim Kopieren größer. Füge sie noch einmal hinzu.',
  foreignPicture: 'Dieses Bild liegt nicht auf dem Server und wird deshalb nicht geladen.',
  join: {
    closed: (channel) => `Nicht beigetreten. In #${channel} kommt nur, wer hinzugefügt wird.`,
    archived: (channel) => `Nicht beigetreten. #${channel} ist archiviert.`,
    gone: 'Nicht beigetreten. Den Kanal gibt es nicht mehr, oder er ist dir nicht mehr zugänglich.',
  },
  adding: {
    notYours: (channel) => `Nicht hinzugefügt. In #${channel} darfst du niemanden mehr hinzufügen.`,
    archived: (channel) => `Nicht hinzugefügt. #${channel} ist archiviert.`,
    gone: 'Nicht hinzugefügt. Den Kanal gibt es nicht mehr, oder er ist dir nicht mehr zugänglich.',
  },
  edit: {
    changedMeanwhile:
      'Nicht geändert. Diese Nachricht wurde inzwischen geändert. Sieh nach, wie sie jetzt ist, und bearbeite sie noch einmal, wenn du das noch willst.',
    gone: 'Nicht geändert. Diese Nachricht wurde gelöscht, oder sie ist dir nicht mehr zugänglich.',
  },
  tooOldToMove: (count, total) =>
    `Nicht verschoben. Von den ${number(total)} Nachrichten dieses Themas ${plural(count, { one: 'kann nur noch #', other: 'können nur noch #' })} verschoben werden; die anderen sind zu alt.`,
  movedMeanwhile:
    'Nicht verschoben. Diese Nachrichten wurden inzwischen verschoben. Sieh nach, wo sie jetzt sind, und verschiebe sie noch einmal, wenn du das noch willst.',
  organization: {
    changedMeanwhile:
      'Nicht geändert. Jemand anderes hat das inzwischen geändert. Sieh nach, wie es jetzt ist, und ändere es noch einmal, wenn du das noch willst.',
    takenBack: 'Das gibt es nicht mehr: Das Anlegen wurde abgebrochen.',
    channelTaken: (channel) => `Nicht angelegt. Einen Kanal namens #${channel} gibt es schon.`,
    groupInUse:
      'Nicht deaktiviert. Die Gruppe ist Teil einer anderen Gruppe oder hat Berechtigungen. Nimm sie dort zuerst heraus.',
  },
  wouldDiscard: (count) =>
    plural(count, {
      one: '# Sache auf diesem Gerät ist noch nicht auf dem Server. Beim Abmelden ginge sie verloren.',
      other: '# Sachen auf diesem Gerät sind noch nicht auf dem Server. Beim Abmelden gingen sie verloren.',
    }),
  mightDiscard:
    'Die Datei dieses Kontos lässt sich nicht öffnen. Deshalb ist nicht bekannt, was darin noch nicht auf dem Server ist. Beim Abmelden ginge es verloren.',

  server: {
    older: (what) => `Dieser Server ist älter. ${what}`.trim(),
    olderAndCannot:
      'Dieser Server ist zu alt dafür. Alles andere funktioniert. Bitte den Betreiber um ein Update.',
    slowDown: 'Der Server begrenzt die Anfragen: Es waren zu viele in kurzer Zeit.',
    keyRefused: 'Der Schlüssel wird nicht angenommen.',
    failed: (status) => `Auf dem Server ist etwas schiefgegangen (${status}).`,
    status: (status) => `Der Server hat mit dem Status ${status} geantwortet.`,
    fileTooLarge: 'Die Datei ist größer, als der Server oder ein Proxy davor annimmt.',
    requestTooLarge: 'Das ist größer, als der Server oder ein Proxy davor annimmt.',
    tooMuch: 'Der Server hat weit mehr geschickt, als gefragt war.',
    notUnderstood: (path, reason) =>
      `Die Antwort des Servers auf ${path} ist nicht zu verstehen (${reason}).`,
    unreadable: {
      page: 'Der Server hat mit einer Webseite geantwortet, wo Daten sein müssten.',
      incomplete: 'Die Antwort des Servers ist unvollständig oder enthält keine gültigen Daten.',
      unknown: 'Die Antwort des Servers hat ein unbekanntes Format.',
    },
    leadsTo: (host) => `Diese Adresse führt stattdessen zu ${host}.`,
    leadsElsewhere: 'Diese Adresse führt woandershin.',
    repeatedAnswer:
      'Eine veraltete Antwort kam an. Vielleicht wiederholt ein Proxy vor dem Server Antworten.',
    noQueue: 'Der Server hat diesem Konto keine Warteschlange für Ereignisse gegeben.',
    noVersion:
      'Dieser Server sagt nicht, welche Version des Chat-Dienstes er spricht. Er ist zu alt oder etwas anderes.',
  },

  network: {
    asksToSignIn: {
      syncing:
        'Dieses Netz verlangt eine Anmeldung, bevor es etwas durchlässt. Öffne eine Webseite im Browser und erledige das; nichts ging verloren, der Rest geht von selbst weiter.',
      signingIn:
        'Dieses Netz verlangt eine Anmeldung, bevor es etwas durchlässt. Öffne eine Webseite im Browser und erledige das, dann versuche es hier noch einmal.',
    },
    perhapsAsksToSignIn: {
      syncing:
        'Falls dieses Netz eine Anmeldung verlangt, erledige das in einem Browser. Nichts ging verloren, danach geht es von selbst weiter. Wenn nicht, prüfe die Adresse.',
      signingIn:
        'Falls dieses Netz eine Anmeldung verlangt, erledige das in einem Browser und versuche es dann hier noch einmal. Wenn nicht, prüfe die Adresse.',
    },
    certificate: {
      expired: `${unproven} Sein Zertifikat ist abgelaufen. Wer ihn betreibt, muss es erneuern. Falls die Uhr dieses Geräts falsch geht, stelle sie. ${nothingSent}`,
      notYetValid: `${unproven} Sein Zertifikat gilt erst ab einem späteren Tag. Meist geht die Uhr dieses Geräts falsch: Stelle sie. ${nothingSent}`,
      ofAnother: `${unproven} Sein Zertifikat gehört einem anderen Server. Falls dieses Netz eine Anmeldung verlangt, erledige das in einem Browser. Wenn nicht, prüfe die Adresse. ${nothingSent}`,
      selfSigned: `${unproven} Er hat sein Zertifikat selbst unterschrieben. Falls dieses Netz eine Anmeldung verlangt, erledige das in einem Browser. Wenn deine Organisation das so macht, füge das Zertifikat in den Netzwerkeinstellungen hinzu. ${nothingSent}`,
      revoked: `${unproven} Sein Zertifikat wurde widerrufen. Frage den Betreiber. ${nothingSent}`,
      unknownAuthority: `${unproven} Dieses Gerät kennt die Stelle nicht, die sein Zertifikat unterschrieben hat. Falls dieses Netz eine Anmeldung verlangt, erledige das in einem Browser. Wenn deine Organisation eine eigene Zertifizierungsstelle hat, füge ihr Zertifikat in den Netzwerkeinstellungen hinzu. ${nothingSent}`,
      notAccepted: `${unproven} Sein Zertifikat wird nicht angenommen. ${nothingSent}`,
    },
    proxyRefuses: (proxy) => `Der Proxy ${proxy} lässt das nicht durch. ${checkProxy}`,
    proxyRefusesWith: (proxy, status) =>
      `Der Proxy ${proxy} lässt das nicht durch (${status}). ${checkProxy}`,
    proxyAsksWho: (proxy) =>
      `Der Proxy ${proxy} lässt das nicht durch: Er verlangt einen Namen und ein Passwort. ${checkProxy}`,
    proxySilent: (proxy) => `Weder der Proxy ${proxy} noch ein Server dahinter antwortet.`,
    notFound: 'Diese Adresse wurde nicht gefunden. Prüfe sie und deine Verbindung.',
    refused: 'Unter dieser Adresse antwortet kein Server.',
    notSecure: {
      syncing:
        'Der Server bietet keine sichere Verbindung mehr, deshalb wurde nichts an ihn gesendet. Falls dieses Netz eine Anmeldung verlangt, erledige das in einem Browser.',
      signingIn:
        'Der Server unter dieser Adresse bietet keine sichere Verbindung. Wenn das so sein soll, schreibe http:// vor die Adresse.',
    },
    noWay: 'Diese Adresse ist von hier nicht erreichbar: Es gibt kein Netz.',
    broke: 'Die Verbindung brach ab, bevor die Antwort da war.',
    tooSlow: 'Der Server hat nicht rechtzeitig geantwortet.',
    silent: 'Der Server hat nicht geantwortet.',
    privateKey:
      'In dieser Datei steht ein privater Schlüssel. Sie wurde nicht behalten: Wähle die Datei, in der nur Zertifikate stehen.',
    noCertificate:
      'In dieser Datei ist kein Zertifikat. Es muss Text sein, der mit -----BEGIN CERTIFICATE----- beginnt. Nichts wurde geändert.',
    badCertificate: (place) =>
      `Das Zertifikat Nummer ${place} dieser Datei ist nicht zu lesen. Nichts wurde geändert.`,
    badProxy: 'Keine Proxy-Adresse. Beispiel: http://proxy.example.org:3128',
  },

  signIn: {
    badAddress: 'Keine Adresse. Beispiel: chat.example.org',
    serverTooOld: (level) =>
      `Dieser Server ist zu alt für Dunlin (nötig ist der Funktionsstand ${level}). Bitte den Betreiber um ein Update.`,
    appTooOld:
      'Dieser Server nimmt diese Version von Dunlin nicht mehr an. Aktualisiere Dunlin und versuche es noch einmal.',
    wrongPassword: 'E-Mail-Adresse oder Passwort ist falsch.',
    wrongKey: 'E-Mail-Adresse oder API-Schlüssel ist falsch.',
    slowDown: (seconds) =>
      seconds < 90
        ? `Es waren zu viele Versuche in kurzer Zeit. Versuche es in ${plural(seconds, { one: '# Sekunde', other: '# Sekunden' })} noch einmal.`
        : `Es waren zu viele Versuche in kurzer Zeit. Versuche es in ${plural(Math.ceil(seconds / 60), { one: '# Minute', other: '# Minuten' })} noch einmal.`,
    keyOfAnother: (fullName) => `Das ist der Schlüssel von jemand anderem. Dieses Konto gehört ${fullName}.`,
    noSuchServer: (reason) => `Unter dieser Adresse ist kein passender Chat-Server. ${reason}`,
  },

  device: {
    diskFull:
      'Der Datenträger ist voll, deshalb konnte das nicht gesichert werden. Alles vorher Gesicherte ist sicher. Schaffe Platz und versuche es noch einmal.',
    noRoomForAccount:
      'Der Datenträger ist voll, deshalb lässt sich dieses Konto nicht öffnen. Alles darin ist sicher. Schaffe Platz, dann öffnet es sich.',
    noRoomToStart:
      'Der Datenträger ist voll, deshalb kann Dunlin nicht starten. Alles vorher Gesicherte ist sicher. Schaffe Platz und starte es noch einmal.',
    cannotWrite: (path) =>
      `Dunlin kann ${path} nicht beschreiben. Was dort liegt, ist sicher. Erlaube das Schreiben dort, oder wähle mit --data-dir einen anderen Ordner.`,
    inUse: (path) =>
      `Ein anderes Programm benutzt ${path}. Nichts wurde geändert. Schließe es und versuche es noch einmal.`,
    alreadyRunning: (path, process, address) =>
      `Dunlin läuft bereits mit ${path}${process === null ? '' : ` (Prozess ${process})`}.${address === null ? '' : ` Sein Fenster ist unter ${address}.`} Nichts wurde geändert. Benutze das offene Fenster, oder wähle mit --data-dir einen anderen Ordner.`,
    damaged: (path) =>
      `Die Datei ${path} ist beschädigt. Zuerst werden Entwürfe und wartende Nachrichten daraus gerettet.`,
    diskFails: (path) =>
      `Der Datenträger mit ${path} ist gestört. Gespeichertes ist nur so sicher wie er: Kopiere diesen Ordner und prüfe dann den Datenträger.`,
    keyCannotBeOpened:
      'Der Schlüssel dieses Kontos lässt sich nicht öffnen: Der Schlüsselbund des Systems, der ihn schützt, ist nicht verfügbar. Alles auf diesem Gerät ist sicher. Melde dich neu an, um zu synchronisieren.',
    noKey:
      'Der Schlüssel dieses Kontos ist nicht auf diesem Gerät. Melde dich neu an, um zu synchronisieren.',
    newerFolder:
      'Diesen Ordner hat eine neuere Version von Dunlin benutzt. Nichts darin wurde geändert, und alles ist sicher: Öffne ihn mit jener Version, oder aktualisiere diese.',
    newerFile:
      'Diese Datei hat eine neuere Version von Dunlin geschrieben. Sie ist unberührt, und alles darin ist sicher: Öffne sie mit jener Version, oder aktualisiere diese.',
    file: {
      damaged: 'Die Datei dieses Kontos auf diesem Gerät war beschädigt.',
      missing: 'Die Datei dieses Kontos war von diesem Gerät verschwunden.',
      restored:
        'Die letzten hier geschriebenen Wörter hatten den Datenträger nicht erreicht, als dieses Gerät stehen blieb.',
      nothingWaited: 'Darin warteten weder Entwürfe noch Änderungen.',
      safe: (drafts, edits, changes) => {
        const things = [
          ...(drafts === 0 ? [] : [plural(drafts, { one: '# Entwurf', other: '# Entwürfe' })]),
          ...(edits === 0
            ? []
            : [
                plural(edits, {
                  one: '# nicht gespeicherte Änderung',
                  other: '# nicht gespeicherte Änderungen',
                }),
              ]),
          ...(changes === 0
            ? []
            : [plural(changes, { one: '# wartende Änderung', other: '# wartende Änderungen' })]),
        ]
        return `${list(things)} ${drafts + edits + changes === 1 ? 'ist' : 'sind'} sicher.`
      },
      unreadable: (count) =>
        plural(count, { one: '# Eintrag war nicht lesbar.', other: '# Einträge waren nicht lesbar.' }),
      undecided: (count) =>
        plural(count, {
          one: 'Ob # davon schon gesendet wurde, lässt sich nicht sagen: Bitte sieh im Postausgang nach.',
          other: 'Ob # davon schon gesendet wurden, lässt sich nicht sagen: Bitte sieh im Postausgang nach.',
        }),
      fetchedAgain: 'Nachrichten werden noch einmal vom Server geholt.',
      keptAs: (path) => `Die beschädigte Datei liegt noch unter ${path}.`,
    },
  },

  search: {
    noChannel: (name) => `Hier gibt es keinen Kanal „${name}“.`,
    nobody: (name) => `Kein Treffer für „${name}“.`,
    unknown: (condition, known) => `„${condition}“ ist nicht bekannt. Es gibt ${known.join(', ')}.`,
    noMessageNumber: (text) =>
      `„${text}“ ist keine Nummer einer Nachricht. Links zu Nachrichten enden mit einer.`,
    oneWith: 'Eine Nachricht steht in einer Unterhaltung: with: kann nur einmal dastehen.',
    noDate: (text) => `„${text}“ ist kein Datum. Schreibe es so: 2026-11-21.`,
  },
}
