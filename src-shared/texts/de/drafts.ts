import type { drafts as en } from '../en/drafts.ts'
import { number, plural } from './grammar.ts'

export const drafts: typeof en = {
  name: 'Entwürfe und Postausgang',
  tabs: { all: 'Alles', outbox: 'Postausgang', drafts: 'Entwürfe' },
  none: 'Keine Entwürfe. Was du anfängst zu schreiben, steht hier, auf allen deinen Geräten.',
  needsYou: 'Braucht dich',
  outboxOrder: 'Wird von selbst gesendet, das Älteste zuerst',
  outboxOrderOffline: (back) => `Wird von selbst gesendet, das Älteste zuerst, ${back}`,
  scheduledThere: (count) =>
    plural(count, {
      one: '# geplante Nachricht liegt auf dem Server und wird gesendet, auch wenn dieses Gerät offline bleibt.',
      other:
        '# geplante Nachrichten liegen auf dem Server und werden gesendet, auch wenn dieses Gerät offline bleibt.',
    }),
  viewScheduled: 'Geplante ansehen',
  editAsDraft: 'Als Entwurf bearbeiten',
  send: 'Senden',
  queue: 'Vormerken',
  retry: 'Noch einmal versuchen',
  moveSome: (count) => plural(count, { one: '# Nachricht verschieben', other: '# Nachrichten verschieben' }),
  discard: 'Verwerfen',
  deleteDraft: 'Entwurf löschen',
  deleted: 'Entwurf gelöscht.',
  noRecipient: 'Noch kein Empfänger',
  ended: {
    title: 'Kürzlich gelöscht',
    explanation:
      'Gelöschte Entwürfe und verworfene Nachrichten, auch von anderen Geräten. Jeder Text bleibt 30 Tage.',
    deleted: 'Gelöscht',
  },
  cameFrom: (topic) => `mitgezogen aus „${topic}“`,
  refused: (reason) =>
    `Der Server hat diesen Entwurf abgelehnt: „${reason}“. Auf diesem Gerät ist er sicher. Ändere Text oder Empfänger, dann wird er wieder synchronisiert.`,
  compare: 'Vergleichen',
  review: 'Ansehen',
  refusal: {
    title: 'Deine Nachricht wurde nicht gesendet',
    why: {
      archived: (channel) => `#${channel} wurde archiviert.`,
      notAllowed: (channel) => `In #${channel} kannst du nicht mehr schreiben.`,
    },
    safe: 'In deinem Postausgang ist sie sicher.',
    written: (time) => `geschrieben ${time}`,
    elsewhere: 'Woandershin senden',
    elsewhereHelp: 'In ein anderes Thema, einen anderen Kanal oder an eine Person',
    choose: 'Wählen …',
    ask: 'Jemanden bitten, sie zu senden',
    askHelp: 'Öffnet eine Direktnachricht mit dem Text',
    askNow: 'Bitten …',
    askWords: (place) => `Kannst du das in ${place} senden?`,
    toDrafts: 'Zurück zu den Entwürfen',
    toDraftsHelp: 'Bleibt auf allen deinen Geräten',
    move: 'Zurücklegen',
    serverSaid: 'Was der Server gesagt hat',
    delete: 'Nachricht löschen',
    deleted: 'Nachricht gelöscht.',
    later: 'Später entscheiden',
  },
  states: {
    synced: 'Synchronisiert',
    conflict: 'Auf zwei Geräten bearbeitet',
    only: 'Nur auf diesem Gerät',
    waiting: 'Noch nicht synchronisiert',
    refused: 'Vom Server abgelehnt',
    notSent: 'Nicht gesendet',
    undecided: 'Vielleicht gesendet',
    undecidedOf: {
      scheduled: 'Vielleicht schon geplant',
      reminder: 'Vielleicht schon gesetzt',
      snippet: 'Vielleicht schon gespeichert',
    },
  },
  conflict: {
    title: 'Dieser Entwurf wurde auf zwei Geräten bearbeitet',
    begins: (place) =>
      place === null
        ? 'Ein Entwurf wurde auf zwei Geräten bearbeitet. Beide Fassungen sind sicher.'
        : `Dein Entwurf für ${place} wurde auf zwei Geräten bearbeitet. Beide Fassungen sind sicher.`,
    several: (count) =>
      `${number(count)} Entwürfe wurden auf zwei Geräten bearbeitet. Alle Fassungen sind sicher.`,
    explanation: (joined, overlaps) => {
      if (overlaps === 0) return 'Beide Fassungen sind sicher.'
      if (joined > 0)
        return `Beide Fassungen sind sicher. Dunlin hat zusammengeführt, was sich nicht überschneidet. ${plural(overlaps, { one: 'Eine Stelle bleibt', other: '# Stellen bleiben' })} zu prüfen.`
      return plural(overlaps, {
        one: 'Beide Fassungen sind sicher. Beide Geräte haben dieselbe Stelle geändert.',
        other: 'Beide Fassungen sind sicher. Beide Geräte haben dieselben # Stellen geändert.',
      })
    },
    lastShared: 'Letzte gemeinsame Fassung',
    editedAt: (time) => `Bearbeitet ${time}`,
    editable: (joined) =>
      joined === 0
        ? 'Bearbeitbar'
        : plural(joined, {
            one: 'Bearbeitbar, # zusammengeführt',
            other: 'Bearbeitbar, # zusammengeführt',
          }),
    edit: 'Text bearbeiten',
    dropEdits: 'Eigene Änderungen verwerfen',
    changes: (count) => plural(count, { one: '# Änderung', other: '# Änderungen' }),
    newer: (whose) => `${whose}, zuletzt bearbeitet`,
    recipientsDiffer:
      'Auch die Empfänger sind verschieden. Deine bleiben, außer du nimmst die andere Fassung.',
    local: 'Deine, auf diesem Gerät',
    remote: 'Anderes Gerät',
    merged: 'Zusammengeführt',
    toCheck: (count) => `${number(count)} zu prüfen`,
    again: 'Das andere Gerät hat dieselbe Stelle noch einmal geändert. Vergleiche bitte erneut.',
    nextDifference: 'Nächster Unterschied',
    previousDifference: 'Voriger Unterschied',
    difference: (at, count) => `Unterschied ${number(at)} von ${number(count)}`,
    bothChanged: 'Auf beiden Geräten geändert',
    yours: 'Deine',
    nothing: '(entfernt)',
    added: {
      local: 'von dir ergänzt: ',
      remote: 'auf dem anderen Gerät ergänzt: ',
      both: 'auf beiden ergänzt: ',
    },
    removed: {
      local: 'von dir entfernt: ',
      remote: 'auf dem anderen Gerät entfernt: ',
      both: 'auf beiden entfernt: ',
    },
    keepBoth: 'Beide behalten',
    mergedText: 'Zusammengeführter Text',
    useThis: 'Diese nehmen',
    keepSeparate: 'Beide als Entwürfe behalten',
    inHistory: 'Die anderen Fassungen bleiben 30 Tage im Verlauf des Entwurfs.',
    later: 'Später entscheiden',
    useMerged: 'Zusammengeführte nehmen',
  },
}
