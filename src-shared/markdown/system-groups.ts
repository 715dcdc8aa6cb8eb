/** The groups that every organization has, with the names under which a rendered message mentions them. */
const displayNames: Readonly<Record<string, string>> = {
  'role:internet': 'Everyone on the internet',
  'role:everyone': 'Everyone',
  'role:members': 'Members',
  'role:fullmembers': 'Full members',
  'role:moderators': 'Moderators',
  'role:administrators': 'Administrators',
  'role:owners': 'Owners',
  'role:nobody': 'Nobody',
}

/** The name under which a rendered message mentions a group. */
export const groupDisplayName = (name: string): string => displayNames[name] ?? name
