import { createRequire } from 'node:module'
import type { HLJSApi } from 'highlight.js'
import type Katex from 'katex'
import type MarkdownIt from 'markdown-it'
import type * as Re2 from 're2js'

// Not named "require": the bundler puts a variable of that name before every module.
const read = createRequire(import.meta.url)

/** The package's exports, loaded at first use. */
function lazily<T>(name: string): () => T {
  let loaded: T | undefined
  // The declarations beside each import above are the package's own.
  return () => (loaded ??= read(name) as T)
}

// Together they take a third of a second to load, and a process shows messages long before it first renders one.
export const markdownIt = lazily<typeof MarkdownIt>('markdown-it')
export const katex = lazily<typeof Katex>('katex')
export const highlighter = lazily<HLJSApi>('highlight.js')
export const re2 = lazily<typeof Re2>('re2js')
