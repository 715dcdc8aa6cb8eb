import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const page = join(root, 'docs/conformance.md')

interface Sentence {
  readonly id: string
  readonly text: string
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
      const calls = source.matchAll(/^\s*(?:test|it)\b[^'"`]*?\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/gm)
      return [...calls].map((call) => ({
        title: (call[1] ?? call[2] ?? '').replace(/\\(.)/g, '$1'),
        file: relative(root, path).replaceAll('\\', '/'),
      }))
    })
}

const form = /^([A-Z]{2,12}-\d{2,3}): (\S.*\.)$/

const escaped = (text: string) => text.replaceAll('|', '\\|')

function pageOf(sentences: readonly Sentence[]): string {
  const areas = new Map<string, Sentence[]>()
  for (const sentence of sentences) {
    const area = sentence.id.split('-')[0] ?? ''
    areas.set(area, [...(areas.get(area) ?? []), sentence])
  }
  const tables = [...areas]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([area, list]) => {
      const rows = list
        .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
        .map(({ id, text, file }) => `| ${id} | ${escaped(text)} | [${file.split('/').at(-1)}](../${file}) |`)
      return [`## ${area}`, '', '| id | what holds | checked in |', '| --- | --- | --- |', ...rows, ''].join('\n')
    })
  return [
    '# What the service keeps of its specification',
    '',
    'Each line is a test of `tests/server/contract`: what nothing checks is not in this list. Written by',
    '`npm run conformance`; do not edit by hand.',
    '',
    `${sentences.length} sentences.`,
    '',
    ...tables,
  ].join('\n')
}

test('docs/conformance.md says exactly what the contract tests check', async () => {
  const found = titles()
  expect(
    found.filter(({ title }) => !form.test(title)),
    'a contract test is titled with an id and a sentence, as in "REG-07: An expired queue is gone."',
  ).toEqual([])
  const sentences = found.map(({ title, file }): Sentence => {
    const [, id = '', text = ''] = form.exec(title) ?? []
    return { id, text, file }
  })
  const ids = sentences.map(({ id }) => id)
  expect(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    'used twice',
  ).toEqual([])
  expect(sentences.length).toBeGreaterThan(0)
  const wanted = pageOf(sentences)
  await expect(wanted).toMatchFileSnapshot(page, "docs/conformance.md is stale: npm run conformance")
})
