import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

// Times of day are written in one file, which has to be told which clock the reader chose.

const root = resolve(import.meta.dirname, '../../src-renderer')

/** What writes a time of day by itself, or by a clock that nobody chose. */
const own = [
  /toLocaleTimeString/,
  /timeStyle|hour12|hourCycle/,
  /\bhour: '/,
  /\.toLocaleString\(/,
  /\b(?:clockTime|clockTimeIn|futureTime|listTime|moment|fullMoment|weekdayTime|dayTime|zonedMoment|momentText|offeredTimes|stateWords)\((?:[^()]|\([^()]*\))*,\s*(?:true|false)\)/,
]
/** A report for others, which is the same for everybody. */
const meant = ['views/diagnostics/Diagnostics.svelte']

const clocksIn = (source: string): string[] => own.flatMap((pattern) => pattern.exec(source)?.[0] ?? [])

test('no time of day is written without the clock that the reader chose', () => {
  const found = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|svelte)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => file !== join(root, 'time.ts') && !meant.includes(relative(root, file)))
    .flatMap((file) => clocksIn(readFileSync(file, 'utf8')).map((text) => `${relative(root, file)}: ${text}`))
  expect(found).toEqual([])
})

test('the check of clocks finds what it looks for in a sample', () => {
  expect(
    [
      "new Date(at).toLocaleString(t.locale, { hour: '2-digit' })",
      'stateWords(sync.current, true)',
      'listTime(row.at, Date.now(), false)',
    ].map((source) => clocksIn(source).length > 0),
  ).toEqual([true, true, true])
  expect(clocksIn('clockTime(at, uses24HourClock)')).toEqual([])
})
