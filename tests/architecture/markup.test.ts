import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'svelte/compiler'
import { expect, test } from 'vitest'

// What a message holds reaches the page in one place, as sanitized elements. Lists move elements only if these have keys.

const root = resolve(import.meta.dirname, '../../src-renderer')

/** These show drawings that are files of the app. */
const drawings = ['parts/Flock.svelte', 'views/feed/FeedEmpty.svelte', 'views/inbox/EverythingRead.svelte']

type Node = Readonly<Record<string, unknown>>

/** All parts of a component's markup, as Svelte reads it. */
function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value) yield value as Node
  for (const part of Object.values(value)) yield* nodesIn(part)
}

/** HTML that is written as text, and lists without keys. One without a name for its items only says how many there are. */
const faultsIn = (source: string): string[] =>
  [...nodesIn(parse(source, { modern: true }).fragment)].flatMap(({ type, context, key }) => {
    if (type === 'HtmlTag') return 'HTML'
    return type === 'EachBlock' && context != null && key == null ? 'a list without keys' : []
  })

test('no component writes HTML, and each list has keys', () => {
  const found = globSync('**/*.svelte', { cwd: root }).flatMap((file) =>
    faultsIn(readFileSync(resolve(root, file), 'utf8'))
      .filter((fault) => fault !== 'HTML' || !drawings.includes(file.replaceAll('\\', '/')))
      .map((fault) => `${file}: ${fault}`),
  )
  expect(found).toEqual([])
})

test('the check finds what it looks for in a sample', () => {
  expect(faultsIn('{#if a}<p>{@html a}</p>{/if}')).toEqual(['HTML'])
  expect(faultsIn('<ul>{#each list as one}<li>{one}</li>{/each}</ul>')).toEqual(['a list without keys'])
  expect(faultsIn('{#each list as one (one)}{one}{/each}{#each list}<hr />{/each}')).toEqual([])
})
