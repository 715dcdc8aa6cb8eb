import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

// What a table looks like is known in few places, so that a migration has few places to visit.

const root = resolve(import.meta.dirname, '../..')

/** Where SQL belongs; the service has its own tables and is not looked at. */
const homes: readonly string[] = [
  'src-main/store',
  'src-main/queries',
  // What every owner of a SQLite file does with it, whatever its tables.
  'src-shared/sqlite',
]

/** How statements begin, and what stands within them. Keywords are written in capitals everywhere. */
const beginning =
  /^\s*(?:SELECT|WITH|PRAGMA|BEGIN|VACUUM|(?:INSERT|REPLACE)\b.*\bINTO|DELETE FROM|(?:CREATE|ALTER|DROP)\b.*\b(?:TABLE|INDEX|TRIGGER|VIEW))\s/s
const part = /\b(?:SET\s+\w+\s*=|(?:FROM|JOIN|WHERE|VALUES|GROUP BY|ORDER BY)\s+[\w(?])/

/** Only sources with one of these words are parsed, which takes long. */
const word =
  /\b(?:SELECT|WITH|PRAGMA|BEGIN|VACUUM|INTO|DELETE|CREATE|ALTER|DROP|SET|FROM|JOIN|WHERE|VALUES|GROUP|ORDER)\b/

/** The texts of a source that are SQL. */
function sqlIn(file: string, code: string): string[] {
  if (!word.test(code)) return []
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (
      (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) &&
      (beginning.test(node.text) || part.test(node.text))
    )
      found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true))
  return found
}

test('SQL is written in the folders of the store and of the queries only', () => {
  const found = ['src-main', 'src-shared']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !homes.some((home) => file.startsWith(`${home}/`)))
    .flatMap((file) => sqlIn(file, readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text}`))
  expect(found).toEqual([])
})

test('the check of SQL finds what it looks for in a sample', () => {
  const sample = `
    db.get('SELECT 1 FROM messages WHERE message_id = ?', [id])
    db.run(\`UPDATE \${table} SET name = ?\`)
    db.run(\`
      INSERT OR IGNORE INTO leaving_accounts (account_id) VALUES (?)\`)
    sqlite.exec('CREATE UNIQUE INDEX by_name ON people (name)')
    const condition = \`\${base} WHERE is_starred = 1\`
    const text = { select: 'Select a channel', from: 'From here', limit: 'UPDATE' }
    // SELECT is a word of SQL.
  `
  expect(sqlIn('sample.ts', sample).map((text) => text.trim())).toEqual([
    'SELECT 1 FROM messages WHERE message_id = ?',
    'SET name = ?',
    'INSERT OR IGNORE INTO leaving_accounts (account_id) VALUES (?)',
    'CREATE UNIQUE INDEX by_name ON people (name)',
    'WHERE is_starred = 1',
  ])
})
