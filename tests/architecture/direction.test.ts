import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

// Styles say where lines begin and end, not left and right, so that languages from right to left come out mirrored.

const root = resolve(import.meta.dirname, '../../src-renderer')

/** Where left and right are meant. */
const meant = [
  // In the middle, with a transform that is physical too.
  /^left: 50%$/,
  // The system draws its buttons on the same side in every language.
  /^padding-(left|right): var\(--titlebar-inset-\1\)$/,
]
const physical =
  /^(?:(?:margin|padding|scroll-margin|scroll-padding|border)-(?:left|right)\b.*|border-(?:top|bottom)-(?:left|right)-radius|left|right)\s*:|^(?:text-align|float):\s*(?:left|right)$/
const sides = /^(?:margin|padding|inset):\s*(\S+) (\S+) (\S+) (\S+)$/

/** Declarations of a style sheet that name a side. */
function physicalIn(css: string): string[] {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split(/[;{}]/)
    .map((declaration) => declaration.trim())
    .filter((declaration) => physical.test(declaration) || sides.test(declaration))
    .filter((declaration) => !meant.some((one) => one.test(declaration)))
}

test('styles name no side', () => {
  const found = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(css|svelte)$/.test(entry.name) && entry.name !== 'direction.css')
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      const css = file.endsWith('.css') ? text : (/<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '')
      return physicalIn(css).map((declaration) => `${relative(root, file)}: ${declaration}`)
    })
  expect(found).toEqual([])
})

test('the check finds physical directions in a sample', () => {
  expect(
    physicalIn(
      'a { margin-left: 1px; padding: 0 1px 0 2px; left: 50%; right: 0; text-align: right; inset: 0 }',
    ),
  ).toEqual(['margin-left: 1px', 'padding: 0 1px 0 2px', 'right: 0', 'text-align: right'])
})
