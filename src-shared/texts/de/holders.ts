import type { holders as en } from '../en/holders.ts'

export const holders: typeof en = {
  roles: {
    internet: 'Alle im Web',
    everyone: 'Alle',
    members: 'Alle außer Gästen',
    fullmembers: 'Vollmitglieder',
    moderators: 'Moderation',
    administrators: 'Administration',
    owners: 'Leitung',
    nobody: 'Niemand',
  },
  nobody: 'Niemand',
  unknownGroup: 'Unbekannte Gruppe',
  unknownPerson: 'Jemand',
  takeOut: (name) => `${name} herausnehmen`,
  add: (what) => `Gruppen oder Personen hinzufügen: ${what}`,
  find: 'Gruppen und Personen suchen',
  addPeople: (what) => `Personen hinzufügen: ${what}`,
  findPeople: 'Personen suchen',
  none: 'Kein Treffer.',
}
