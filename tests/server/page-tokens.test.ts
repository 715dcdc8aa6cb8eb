import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { pageTokens } from '../../src-server/pages/page-shell.ts'

const css = readFileSync(resolve(import.meta.dirname, '../../src-renderer/styles/tokens.css'), 'utf8')
const [rest = '', dark = ''] = css.split(/^\[data-theme="dark"\]\{$/m)
const [primitives = '', light = ''] = rest.split(/^:root,\[data-theme="light"\]\{$/m)

/** The value of a token, with what it is made of. */
function valueIn(theme: string, name: string): string | undefined {
  const found = (text: string) => new RegExp(`${name}:([^;]+);`).exec(text)?.[1]?.trim()
  const value = found(theme) ?? found(primitives)
  const other = /^var\((--[\w-]+)\)$/.exec(value ?? '')?.[1]
  return other === undefined ? value : valueIn(theme, other)
}

test.each(Object.entries(pageTokens))('pages of the service have %s as the app has it', (name, values) => {
  expect([valueIn(light, name), valueIn(dark, name)]).toEqual(values)
})
