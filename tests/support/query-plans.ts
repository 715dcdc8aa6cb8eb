import type { Database, SqlParameter } from '../../src-server/database.ts'

/** Tables that grow with the life of an organization: no request may look at all their rows. */
const large = [
  'messages',
  'user_messages',
  'reactions',
  'submessages',
  'attachments',
  'attachment_messages',
  'direct_groups',
  'direct_group_members',
  'subscriptions',
  'user_settings',
  'user_topics',
  'drafts',
  'saved_snippets',
  'navigation_views',
  'alert_words',
  'muted_users',
  'scheduled_messages',
  'reminders',
  'push_devices',
]

/** Whether a test of the app looks itself at what the service has; it may look at whole tables. */
const isAskedByAppTest = () => new Error().stack?.split('\n')[3]?.includes('/tests/main/') === true

/** Statements that were run, each with the parameters of its first time. */
export type Statements = ReadonlyMap<string, readonly SqlParameter[]>

/** A database that remembers which statements it ran. */
export function watchedDatabase(database: Database): { database: Database; statements: Statements } {
  const statements = new Map<string, readonly SqlParameter[]>()
  const watched =
    <R>(work: (sql: string, ...parameters: SqlParameter[]) => R) =>
    (sql: string, ...parameters: SqlParameter[]): R => {
      if (!statements.has(sql) && !isAskedByAppTest()) statements.set(sql, parameters)
      return work(sql, ...parameters)
    }
  return {
    statements,
    database: {
      ...database,
      // The row type stays the caller's promise.
      all: watched(database.all) as Database['all'],
      get: watched(database.get) as Database['get'],
      run: watched(database.run),
    },
  }
}

/** The steps of these statements that look at every row of a large table, each with its statement. */
export function scansIn(database: Database, statements: Statements): string[] {
  const scans: string[] = []
  for (const [sql, parameters] of statements) {
    // A narrow that nothing can be in: the plan names the table, no row of it is read.
    if (sql.includes('AND (0)')) continue
    const tables = tablesIn(sql)
    const steps = database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters)
    for (const { detail } of steps) {
      // An index that is made for one statement is a scan as well.
      const [, name = ''] = /^SCAN (\w+)/.exec(detail) ?? /^SEARCH (\w+) USING AUTOMATIC/.exec(detail) ?? []
      const isLarge = (tables.get(name) ?? [name]).some((table) => large.includes(table))
      if (isLarge) scans.push(`${detail}\n  in ${sql.replace(/\s+/g, ' ').trim()}`)
    }
  }
  return scans
}

/** The tables of a statement by the names that its plan calls them. */
function tablesIn(sql: string): Map<string, string[]> {
  const tables = new Map<string, string[]>()
  for (const [, table = '', alias = table] of sql.matchAll(
    /\b(?:FROM|JOIN|UPDATE|INTO|,)\s+(\w+)(?:\s+AS)?(?:\s+(\w+))?/gi,
  ))
    for (const name of [table, alias]) tables.set(name, [...(tables.get(name) ?? []), table])
  return tables
}
