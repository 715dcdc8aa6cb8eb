import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

/** Groups of files that load each other, directly or through others: the first way round that is found from each file. */
function cycles(): string[] {
  const sources = readSources()
  const loads = (path: string) =>
    (sources.get(path) ?? []).filter(({ isType, isLate }) => !isType && !isLate).map(({ target }) => target)
  const found: string[] = []
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    const before = way.indexOf(path)
    if (before !== -1) found.push([...way.slice(before), path].join(' → '))
    if (before !== -1 || done.has(path)) return
    for (const target of loads(path)) visit(target, [...way, path])
    done.add(path)
  }
  for (const path of sources.keys()) visit(path, [])
  return found
}

test('no file loads itself through others', () => {
  expect(cycles()).toEqual([])
})
