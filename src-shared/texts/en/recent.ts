export const recent = {}
