import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

// Whoever uses a function or a type of another file reads what it guarantees above it.

const root = resolve(import.meta.dirname, '../..')

/**
 * The first line of an exported function, class, interface or type. The type of a table's keys, a list's members or a
 * schema's output says itself what it is.
 */
const exported =
  /^export (?:async )?(?:function\*?|(?:abstract )?class|interface|type(?! \w+ = (?:keyof \(?typeof|\(typeof|z\.))) (\w+)|^export const (\w+)(?:: [^=]+)? =\s*(?:async )?(?:<[^=]*>)?\(/
/** A whole export in one line: several below one another share the comment above them. */
const isOneLine = (line: string): boolean => /^export const .*[^>({[]$/.test(line)

/** The names of exports without a doc comment. */
function undocumentedIn(source: string): string[] {
  const lines = source.split('\n')
  return lines.flatMap((line, number) => {
    const [, declared, arrow] = exported.exec(line) ?? []
    const name = declared ?? arrow
    if (name === undefined) return []
    const above = lines
      .slice(0, number)
      .findLast((one) => !one.startsWith('//') && !(isOneLine(line) && isOneLine(one)))
    return above?.endsWith('*/') === true ? [] : [name]
  })
}

test('every exported function and type says what it guarantees', () => {
  const found = [...readSources().keys()]
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) =>
      undocumentedIn(readFileSync(join(root, path), 'utf8')).map((name) => `${path}: ${name}`),
    )
  expect(found).toEqual([])
})

test('the check finds exports without a doc comment in a sample', () => {
  const sample = `
/** What it does. */
export function documented() {}
export function bare() {}

/** Casts. */
// They hold by definition.
export const one = (value: string) => value as One
export const two = (value: string) => value as Two

export const alone = async (value: string) => value
export const table = { key: 1 }
export interface Form {}
export type Key = keyof typeof table
export type Keys = readonly Key[]
`
  expect(undocumentedIn(sample)).toEqual(['bare', 'alone', 'Form', 'Keys'])
})
