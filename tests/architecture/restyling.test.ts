import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

// What makes the browser do for the whole window what concerns a small part of it.
//
// When anything is inserted below an element that a style asks for what it has (`:has`), the browser computes the styles
// of all that is in the element anew. Of the page or the window, that is everything: ten milliseconds for every key.
//
// A scrollbar that styles describe by its parts belongs to the page: whenever it moves, the browser paints the whole
// window again, three milliseconds in each frame of scrolling.

const root = resolve(import.meta.dirname, '../../src-renderer')
const scrollbar = /::-webkit-scrollbar/
const wide = /(?:^|[\s,(])(?:html|body|:root|#app|\.win|\.sheet|main)(?![\w-])[^\s,{]*:has\(/

const rulesOf = (text: string, isSheet: boolean) =>
  (isSheet ? text : (/<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '')).replaceAll(/\/\*[\s\S]*?\*\//g, '')

const filesWith = (what: RegExp) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(css|svelte)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => what.test(rulesOf(readFileSync(file, 'utf8'), file.endsWith('.css'))))
    .map((file) => relative(root, file))

test('no style asks what the whole page or window has', () => {
  expect(filesWith(wide)).toEqual([])
})

test('no style describes the parts of a scrollbar', () => {
  expect(filesWith(scrollbar)).toEqual([])
})

test('the check finds such styles in a sample', () => {
  expect(
    ['a { } body:has(.x) .y { }', ':global(.win.wide:has(.x)) .y { }'].every((css) => wide.test(css)),
  ).toBe(true)
  expect(scrollbar.test('.feed::-webkit-scrollbar-thumb { }')).toBe(true)
  expect(wide.test('.msg:has(.x), .window:has(.y), body .msg:has(.x) { }')).toBe(false)
})
