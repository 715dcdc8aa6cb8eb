import type { shared as en } from '../en/shared.ts'
import { number } from './grammar.ts'

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
  withKeys: (words, keys) => `${words} (${keys})`,
  openPlaces: 'Was offen ist',
  back: 'Zurück',
  forward: 'Vorwärts',
  followed: 'gefolgt',
  muted: 'stumm',
  resolved: 'erledigt',
  mentionsYou: 'erwähnt dich',
  sizes: {
    bytes: (count) => `${number(count)} B`,
    kilobytes: (count) => `${number(count)} KB`,
    megabytes: (count) => `${number(count)} MB`,
    gigabytes: (count) => `${number(count)} GB`,
  },
}
