export const inbox = {}
