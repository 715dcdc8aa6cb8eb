export const allOrganizations = {}
