/** The wire's numbers of the roles; a smaller number has more rights (specification, Organization roles). */
export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
