export const diagnostics = {}
