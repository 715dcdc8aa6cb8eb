import type { Database, SqlParameter } from '../../src-server/database.ts'

/** Tables that grow over the life of an organization: no request may scan them. */
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

/** Whether a test of the app itself is reading the service's data; it may scan tables. */
const isAskedByAppTest = () => new Error().stack?.split('\n')[3]?.includes('/tests/main/') === true

/** The statements that ran, each with the parameters of its first run. */
export type Statements = ReadonlyMap<string, readonly SqlParameter[]>

/** A database that records the statements that it runs. */
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

/** The steps of these statements that scan a large table, each with its statement. */
export function scansIn(database: Database, statements: Statements): string[] {
  const scans: string[] = []
  for (const [sql, parameters] of statements) {
    // A narrow that no message can match: the plan names the table, but no row of it is read.
    if (sql.includes('AND (0)')) continue
    const tables = tablesIn(sql)
    const steps = database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters)
    for (const { detail } of steps) {
      // An automatic index, built for one statement, is a scan too.
      const [, name = ''] = /^SCAN (\w+)/.exec(detail) ?? /^SEARCH (\w+) USING AUTOMATIC/.exec(detail) ?? []
      const isLarge = (tables.get(name) ?? [name]).some((table) => large.includes(table))
      if (isLarge) scans.push(`${detail}\n  in ${sql.replace(/\s+/g, ' ').trim()}`)
    }
  }
  return scans
}

/** The tables of a statement, by the aliases that its plan uses. */
function tablesIn(sql: string): Map<string, string[]> {
  const tables = new Map<string, string[]>()
  for (const [, table = '', alias = table] of sql.matchAll(
    /\b(?:FROM|JOIN|UPDATE|INTO|,)\s+(\w+)(?:\s+AS)?(?:\s+(\w+))?/gi,
  ))
    for (const name of [table, alias]) tables.set(name, [...(tables.get(name) ?? []), table])
  return tables
}
