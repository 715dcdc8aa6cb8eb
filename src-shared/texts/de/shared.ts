import type { shared as en } from '../en/shared.ts'

export const shared: typeof en = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  delete: 'Löschen',
  save: 'Speichern',
  edit: 'Bearbeiten',
  undo: 'Rückgängig',
  remove: 'Entfernen',
  rename: 'Umbenennen',
  add: 'Hinzufügen',
  tryAgain: 'Noch einmal versuchen',
  you: 'du',
  markedRead: (name) => `Als gelesen markiert: ${name}`,
  removed: (name) => `Entfernt: ${name}`,
  openPlaces: 'Was offen ist',
  back: 'Zurück',
  forward: 'Vorwärts',
  followed: 'gefolgt',
  muted: 'stumm',
  resolved: 'erledigt',
  mentionsYou: 'erwähnt dich',
}
