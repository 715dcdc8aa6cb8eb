import type { WritableDb } from '../../src-main/store/database.ts'
import { ownTables } from '../../src-main/store/own-tables.ts'

/** Empties all tables that repeat the server; what only this device knows stays. */
export function emptyCache(db: WritableDb): void {
  const kept = new Set<string>([...ownTables, 'own_changes'])
  const tables = db.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  )
  const virtual = tables.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL')).map(({ name }) => name)
  for (const { name } of tables) {
    const isShadow = virtual.some((table) => name.startsWith(`${table}_`))
    if (kept.has(name) || isShadow) continue
    if (virtual.includes(name)) db.run(`INSERT INTO ${name} (${name}) VALUES ('delete-all')`)
    else db.run(`DELETE FROM ${name}`)
  }
  db.run('INSERT INTO sync (id) VALUES (1)')
}
