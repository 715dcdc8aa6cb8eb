/** Tables that hold what only this machine knows. Emptying the cache leaves them alone, whatever happens. */
export const ownTables = ['drafts', 'draft_versions', 'outbox'] as const
