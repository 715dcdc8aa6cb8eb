// This folder answers every question of the form "may this person do this?".

export * from './permissions/roles.ts'
export * from './permissions/groups.ts'
export * from './permissions/setting-table.ts'
export * from './permissions/holders.ts'
export * from './permissions/setting-changes.ts'
export * from './permissions/channels.ts'
export * from './permissions/messages.ts'
export * from './permissions/message-changes.ts'
export * from './permissions/message-limits.ts'
export * from './permissions/invitations.ts'
export * from './permissions/user-groups.ts'
export * from './permissions/accounts.ts'
