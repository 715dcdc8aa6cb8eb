export const outbox = {}
