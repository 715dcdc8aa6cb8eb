export const times = {}
