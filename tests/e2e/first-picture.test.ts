import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildIfStale } from '../../src-main/hosts/built-app.ts'

// What stands between a start and its first picture, by the files that were built.

const root = resolve(import.meta.dirname, '../..')
const assets = join(root, 'out/renderer/assets')

/** A script and all that it imports before it runs. */
function withImports(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known
  known.add(name)
  const text = readFileSync(join(assets, name), 'utf8')
  for (const [, imported] of text.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g))
    if (imported !== undefined) withImports(imported, known)
  return known
}

const compressed = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name))).length, 0)

/** The files of a view: what it is in, and the one that only names it where there is one. */
const filesOf = (view: string) =>
  readdirSync(assets).filter((name) => new RegExp(`^${view}-.*\\.js$`, 'i').test(name))

test('the first picture needs less than 80 KB of compressed script', () => {
  expect(buildIfStale(root)).toBe(true)
  const html = readFileSync(join(root, 'out/renderer/index.html'), 'utf8')
  const entries = [...html.matchAll(/(?:src|href)="\.\/assets\/([^"]+\.js)"/g)].map(([, name]) => name ?? '')
  expect(entries).not.toEqual([])
  const needed = new Set(entries.flatMap((name) => [...withImports(name)]))
  // The inbox comes with the window; who signs in is shown something else.
  expect(compressed(needed)).toBeLessThan(80_000)
  const signIn = filesOf('SignIn')
  expect(signIn).not.toEqual([])
  const all = new Set([...needed, ...signIn.flatMap((name) => [...withImports(name)])])
  expect(compressed(all)).toBeLessThan(120_000)
})

test('what the first picture shows and is written in is under way before its script is read', () => {
  const html = readFileSync(join(root, 'out/renderer/index.html'), 'utf8')
  const script = html.indexOf('<script')
  for (const early of ['href="/opening"', '.woff2"']) {
    expect(html.indexOf(early), early).toBeGreaterThan(-1)
    expect(html.indexOf(early), early).toBeLessThan(script)
  }
})
