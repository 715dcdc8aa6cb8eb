import { createRequire } from 'node:module'
import type { HLJSApi } from 'highlight.js'
import type Katex from 'katex'
import type MarkdownIt from 'markdown-it'
import type * as Re2 from 're2js'

// Not named "require": the builder puts one of that name before every module.
const read = createRequire(import.meta.url)

/** What the package exports, read when it is first asked for. */
function lazily<T>(name: string): () => T {
  let loaded: T | undefined
  // The declarations beside each import above are the package's own.
  return () => (loaded ??= read(name) as T)
}

// Together they take a third of a second to read, and a process that shows messages starts long before it renders one.
export const markdownIt = lazily<typeof MarkdownIt>('markdown-it')
export const katex = lazily<typeof Katex>('katex')
export const highlighter = lazily<HLJSApi>('highlight.js')
export const re2 = lazily<typeof Re2>('re2js')
