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
  openPlaces: 'Was offen ist',
}
