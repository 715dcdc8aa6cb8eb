import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { Section, Statement } from '../server/contract/specification/catalogue.ts'
import { areas, specification } from '../server/contract/specification/index.ts'

const root = resolve(import.meta.dirname, '../..')
const page = join(root, 'docs/conformance.md')

interface Test {
  readonly id: string
  readonly sentence: string
  readonly file: string
}

/** Every test title below tests/server/contract, in the order of the files. */
function titles(): { title: string; file: string }[] {
  const folder = join(root, 'tests/server/contract')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      const source = readFileSync(path, 'utf8')
      // The rows of a table of tests stand in a constant before it: nothing in quotes comes before a title.
      const calls = source.matchAll(/^\s*(?:test|it)\b[^'"`]*?\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/gm)
      return [...calls].map((call) => ({
        title: (call[1] ?? call[2] ?? '').replace(/\\(.)/g, '$1'),
        file: relative(root, path).replaceAll('\\', '/'),
      }))
    })
}

/** An id, a sentence, and for a table of tests what its rows are called. */
const form = /^([A-Z]{2,12}-\d{2,3}): (\S.*?)(?: \([^)]*[$%][^)]*\))?\.$/

function tests(): Test[] {
  const found = titles()
  expect(
    found.filter(({ title }) => !form.test(title)),
    'a contract test is titled with an id and a sentence, as in "REG-07: An expired queue is gone."',
  ).toEqual([])
  return found.map(({ title, file }): Test => {
    const [, id = '', sentence = ''] = form.exec(title) ?? []
    return { id, sentence: `${sentence}.`, file }
  })
}

const twice = (list: readonly string[]) => list.filter((one, index) => list.indexOf(one) !== index)
const testsOf = ([, ...rest]: Statement): string[] => rest.flatMap((one) => (typeof one === 'string' ? [one] : []))
const reasonOf = ([, second]: Statement) => (typeof second === 'string' ? undefined : second.why)
const numbered = (area: string, last: number): string[] =>
  Array.from({ length: last }, (_, index) => `${area}-${String(index + 1).padStart(2, '0')}`)

test('Every statement of the specification is carried by tests, and every test is known', () => {
  const found = tests().map(({ id }) => id)
  expect(twice(found), 'ids that two tests have').toEqual([])
  const known = Object.entries(areas).flatMap(([area, [, last]]) => numbered(area, last))
  expect(
    found.filter((id) => !known.includes(id)),
    'ids of tests that tests/server/contract/specification/areas.ts does not know',
  ).toEqual([])
  expect(
    known.filter((id) => !found.includes(id)),
    'ids without a test',
  ).toEqual([])
  const statements = specification.flatMap((section) => section.statements)
  expect(
    statements.flatMap(testsOf).filter((id) => !found.includes(id)),
    'tests that the specification names and that are not there',
  ).toEqual([])
  expect(twice(specification.map(({ title }) => title)), 'sections that are there twice').toEqual([])
  for (const { title, statements: said } of specification)
    expect(twice(said.map(([says]) => says)), `said twice in ${title}`).toEqual([])
})

const escaped = (text: string) => text.replaceAll('|', '\\|')
const row = (...cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`
const table = (heads: readonly string[], rows: readonly string[]) => [
  row(...heads),
  row(...heads.map(() => '---')),
  ...rows,
  '',
]

function pageOf(found: readonly Test[]): string {
  const link = (id: string) => `[${id}]`
  const sectionOf = ({ title, statements }: Section) => [
    `### ${title}`,
    '',
    ...table(
      ['what it says', 'checked by'],
      statements.map((one) => row(one[0], reasonOf(one) ?? testsOf(one).map(link).join(', '))),
    ),
  ]
  const statements = specification.flatMap((section) => section.statements)
  const named = new Set(statements.flatMap(testsOf))
  const listed = (wanted: (one: Test) => boolean) =>
    Object.entries(areas).flatMap(([area, [about]]) => {
      const list = found.filter((one) => one.id.startsWith(`${area}-`) && wanted(one))
      if (list.length === 0) return []
      list.sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
      const rows = list.map(({ id, sentence }) => row(link(id), sentence))
      return [`### ${about}`, '', ...table(['test', 'what holds'], rows)]
    })
  const idle = statements.filter((one) => reasonOf(one) !== undefined).length
  return [
    '# Conformance to the specification',
    '',
    'Every statement of the specification, in its order and in our words, with the tests of `tests/server/contract` that',
    'carry it; then what the service keeps beyond it; then what each test shows. The statements are in',
    '`tests/server/contract/specification`; this page is written by `npm run conformance`, and a test fails when a',
    'statement has no test, or a test no place here.',
    '',
    `${statements.length} statements in ${specification.length} sections, ${idle} of which cannot be tested;`,
    `${found.length} tests, ${found.length - named.size} of them beyond the specification.`,
    '',
    '## The specification',
    '',
    ...specification.flatMap(sectionOf),
    '## Beyond the specification',
    '',
    'What the specification leaves open, and this service does as other services of its kind do.',
    '',
    ...listed(({ id }) => !named.has(id)),
    '## What the tests named above show',
    '',
    ...listed(({ id }) => named.has(id)),
    ...found.map(({ id, file }) => `[${id}]: ../${file}`),
    '',
  ].join('\n')
}

test('docs/conformance.md is what the catalogue and the tests say', async () => {
  await expect(pageOf(tests())).toMatchFileSnapshot(page, 'docs/conformance.md is stale: npm run conformance')
})
