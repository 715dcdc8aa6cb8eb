/** Groups and people who hold a permission, and the control that chooses them. */
export const holders = {
  /** The groups that every organization has, named by their members. */
  roles: {
    internet: 'Anyone on the web',
    everyone: 'Everyone',
    members: 'Everyone except guests',
    fullmembers: 'Full members',
    moderators: 'Moderators',
    administrators: 'Administrators',
    owners: 'Owners',
    nobody: 'Nobody',
  },
  nobody: 'Nobody',
  unknownGroup: 'Unknown group',
  unknownPerson: 'Someone',
  takeOut: (name: string) => `Remove ${name}`,
  /** `what` is the permission, as in “Who can post”. */
  add: (what: string) => `Add groups or people: ${what}`,
  find: 'Find groups and people',
  addPeople: (what: string) => `Add people: ${what}`,
  findPeople: 'Find people',
  none: 'No match.',
}
