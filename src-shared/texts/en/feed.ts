export const feed = {}
