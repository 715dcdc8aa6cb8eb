import type { drafts as en } from '../en/drafts.ts'
import { number } from './grammar.ts'

export const drafts: typeof en = {
  name: 'Entwürfe und Postausgang',
  tabs: { all: 'Alles', outbox: 'Postausgang', drafts: 'Entwürfe' },
  none: 'Keine Entwürfe. Was du anfängst zu schreiben, steht hier, auf allen deinen Geräten.',
  needsYou: 'Braucht dich',
  outboxOrder: 'Wird von selbst gesendet, das Älteste zuerst',
  outboxOrderOffline: 'Wird von selbst gesendet, das Älteste zuerst, sobald du wieder online bist',
  scheduled: 'Geplant',
  editAsDraft: 'Als Entwurf bearbeiten',
  send: 'Senden',
  queue: 'Vormerken',
  retry: 'Noch einmal versuchen',
  discard: 'Verwerfen',
  deleteDraft: 'Entwurf löschen',
  deleted: 'Entwurf gelöscht.',
  noRecipient: 'Noch kein Empfänger',
  compare: 'Vergleichen',
  states: {
    synced: 'Synchronisiert',
    conflict: 'Auf zwei Geräten bearbeitet',
    only: 'Nur auf diesem Gerät',
    waiting: 'Noch nicht synchronisiert',
  },
  conflict: {
    title: 'Dieser Entwurf wurde auf zwei Geräten bearbeitet',
    explanation: (count) =>
      `Beide Fassungen sind sicher. Dunlin hat zusammengeführt, was sich nicht berührt. Zu prüfen bleiben: ${number(count)}.`,
    lastShared: (text) => `Letzte gemeinsame Fassung: „${text}“`,
    recipientsDiffer:
      'Auch die Empfänger sind verschieden. Deine bleiben, außer du nimmst die andere Fassung.',
    local: 'Deine, auf diesem Gerät',
    remote: 'Anderes Gerät',
    merged: 'Zusammengeführt',
    toCheck: (count) => `${number(count)} zu prüfen`,
    bothChanged: 'Beide Geräte haben diese Stelle geändert',
    yours: 'Deine',
    removed: '(entfernt)',
    keepBoth: 'Beide behalten',
    mergedText: 'Zusammengeführter Text',
    useThis: 'Diese Fassung nehmen',
    keepSeparate: 'Beide als eigene Entwürfe behalten',
    inHistory: 'Die anderen Fassungen bleiben 30 Tage im Verlauf des Entwurfs.',
    later: 'Später entscheiden',
    useMerged: 'Zusammengeführte nehmen',
  },
}
