import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

// When anything is inserted below an element that a style asks for what it has (`:has`), the browser computes the styles
// of all that is in the element anew. Of the page or the window, that is everything: ten milliseconds for every key.

const root = resolve(import.meta.dirname, '../../src-renderer')
const wide = /(?:^|[\s,(])(?:html|body|:root|#app|\.win|\.sheet|main)(?![\w-])[^\s,{]*:has\(/

const stylesOf = (text: string, isSheet: boolean) =>
  isSheet ? text : (/<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '')

test('no style asks what the whole page or window has', () => {
  const found = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(css|svelte)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => wide.test(stylesOf(readFileSync(file, 'utf8'), file.endsWith('.css'))))
  expect(found.map((file) => relative(root, file))).toEqual([])
})

test('the check finds such styles in a sample', () => {
  expect(
    ['a { } body:has(.x) .y { }', ':global(.win.wide:has(.x)) .y { }'].every((css) => wide.test(css)),
  ).toBe(true)
  expect(wide.test('.msg:has(.x), .window:has(.y), body .msg:has(.x) { }')).toBe(false)
})
