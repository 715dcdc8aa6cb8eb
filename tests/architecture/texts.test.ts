import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parse, type AST } from 'svelte/compiler'
import ts from 'typescript'
import { expect, test } from 'vitest'

// Every text that a person reads comes from the catalogue (src-shared/texts). Two looks at the sources: what stands
// in markup and in the attributes that are read, and what reads like a sentence in a string.

const root = resolve(import.meta.dirname, '../..')

/** Not words of a language: names and samples that are the same everywhere. */
const sameEverywhere = /^(Dunlin|Markdown|API|https?:\S*|[A-Z]|\p{P}|\p{S}|\s|\d)*$/u
/** What scripts call keys; what is written on them is in the catalogue. */
const keyName = /^((Ctrl|Alt|Shift)\+)*(Ctrl|Alt|Shift|Escape|Enter|Tab|Space|Backspace|Delete|Home|End|.)$/
const readAttributes = new Set([
  'title',
  'placeholder',
  'alt',
  'aria-label',
  'aria-description',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'label',
  'name',
  'help',
])
/** Attributes of this name are no words where the element is one of HTML's own, or shows a shortcut's keys. */
const isPlainName = (element: string, attribute: string) =>
  attribute === 'name' && (/^[a-z]/.test(element) || element === 'ShortcutKeys')

const hasWords = (text: string) => /\p{L}{2}/u.test(text) && !sameEverywhere.test(text)
/** Two words side by side, the first with a capital and no SQL: a sentence or a label of several words. */
const readsLikeText = (text: string) =>
  /^\p{Lu}(?!\p{Lu})[\p{L}’']* \p{L}{2}/u.test(text) && !sameEverywhere.test(text)
/** A word with a capital and nothing else in it: a label, where labels stand. "ArrowDown" is none. */
const readsLikeLabel = (text: string) =>
  /^\p{Lu}\p{Ll}+\b/u.test(text) && !sameEverywhere.test(text) && !keyName.test(text)
/** Properties of our tables that hold a label. */
const labelled = new Set([
  'label',
  'title',
  'help',
  'name',
  'text',
  'hint',
  'placeholder',
  'message',
  'words',
])

interface Finding {
  readonly file: string
  readonly text: string
}

function inScript(file: string, code: string): Finding[] {
  const found: Finding[] = []
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const isThrown = (node: ts.Node) => ts.isNewExpression(node) && node.expression.getText(source) === 'Error'
  const visit = (node: ts.Node): void => {
    // What is thrown as a plain error is for developers.
    if (isThrown(node) || ts.isImportDeclaration(node)) return
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node)) {
      const { parent } = node
      const isLabel = ts.isPropertyAssignment(parent) && labelled.has(parent.name.getText(source))
      if (readsLikeText(node.text) || (isLabel && readsLikeLabel(node.text)))
        found.push({ file, text: node.text })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function inMarkup(file: string, code: string): Finding[] {
  const found: Finding[] = []
  const visit = (node: unknown, element: string): void => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one, element)
      return
    }
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const one = node as AST.SvelteNode
    if (one.type === 'Literal' && typeof one.value === 'string' && readsLikeLabel(one.value)) {
      found.push({ file, text: one.value })
    }
    if (one.type === 'Text' && hasWords(one.data)) found.push({ file, text: one.data.trim() })
    if (one.type === 'StyleDirective') return
    if (one.type === 'Attribute') {
      if (!readAttributes.has(one.name) || isPlainName(element, one.name)) return
      for (const part of Array.isArray(one.value) ? one.value : [one.value]) {
        if (part === true) continue
        if (part.type !== 'Text') visit(part, element)
        else if (hasWords(part.data)) found.push({ file, text: `${one.name}="${part.data}"` })
      }
      return
    }
    const within = 'name' in one && typeof one.name === 'string' ? one.name : element
    if (within === 'style' || within === 'script') return
    for (const [key, value] of Object.entries(one)) {
      if (key !== 'metadata' && key !== 'css') visit(value, within)
    }
  }
  const tree = parse(code, { modern: true })
  visit(tree.fragment, '')
  // The compiler's own node types do not say where a script's content lies.
  for (const script of [tree.instance, tree.module] as (
    | null
    | undefined
    | { content: { start: number; end: number } }
  )[])
    if (script != null) found.push(...inScript(file, code.slice(script.content.start, script.content.end)))
  return found
}

/** What is said on the command line, before any language is known. */
const commandLine: readonly string[] = ['src-main/hosts']

/** For whoever is asked for help, in one language. */
const inEnglish: readonly string[] = ['src-renderer/views/diagnostics/report.ts']

function findings(): Finding[] {
  return ['src-main', 'src-renderer']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(svelte|ts)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter(
      (file) =>
        ![...commandLine, ...inEnglish].some((place) => file === place || file.startsWith(`${place}/`)),
    )
    .flatMap((file) => {
      const code = readFileSync(join(root, file), 'utf8')
      return file.endsWith('.svelte') ? inMarkup(file, code) : inScript(file, code)
    })
}

/** Marks that a typewriter has, or another language, instead of those of the language: ’ “ ” in English, ’ „ “ in German. */
const wrongMarks = { en: /['"„]/, de: /['"”]/ }
/** What is typed in a search is written as it is typed. */
const asTyped: readonly string[] = ['search.ts']

function withWrongMarks(language: keyof typeof wrongMarks, name: string, code: string): Finding[] {
  const found: Finding[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const text = asTyped.includes(name) ? node.text.replaceAll('"', '') : node.text
      if (wrongMarks[language].test(text)) found.push({ file: `${language}/${name}`, text })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true))
  return found
}

test('apostrophes and quotation marks are those of the language', () => {
  const inCatalogue = (['en', 'de'] as const).flatMap((language) => {
    const folder = join(root, 'src-shared/texts', language)
    return readdirSync(folder).flatMap((name) =>
      withWrongMarks(language, name, readFileSync(join(folder, name), 'utf8')),
    )
  })
  expect(inCatalogue.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
  const sample = "const t = { 'a-b': (n) => `It's ${n}'s ${n}, ${n} \"here\"`, c: '„It’s“ “there”' }"
  const found = (language: keyof typeof wrongMarks) =>
    withWrongMarks(language, 'sample.ts', sample).map(({ text }) => text)
  expect(found('en')).toEqual(["It's ", "'s ", ' "here"', '„It’s“ “there”'])
  expect(found('de')).toEqual(found('en'))
})

test('no text that a person reads stands outside the catalogue', () => {
  expect(findings().map(({ file, text }) => `${file}: ${text}`)).toEqual([])
})

test('the check finds texts outside the catalogue in a sample', () => {
  const sample = `<script lang="ts">
    const name = 'Mark all read'
    const key = 'ArrowDown'
    if (name === key) throw new Error('Never both')
  </script>
  <button title="Close this" onkeydown={(event) => event.key === 'Escape'}>{key ? 'Close' : 'Open'} <kbd>Esc</kbd></button>
  <p>Nothing here</p><input name="topic" />`
  expect(inMarkup('sample', sample).map(({ text }) => text)).toEqual([
    'title="Close this"',
    'Close',
    'Open',
    'Esc',
    'Nothing here',
    'Mark all read',
  ])
})

test('no window reads the texts that only the main process writes, which it does not load', () => {
  const window = join(root, 'src-renderer')
  const files = readdirSync(window, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((name) => /\.(ts|svelte)$/.test(name))
  expect(sources.length).toBeGreaterThan(300)
  const read = /\bt\.(native|outbox)\b|\b(native|outbox)\b[^;={}]*\} = t\b/
  expect(sources.filter((name) => read.test(readFileSync(join(window, name), 'utf8')))).toEqual([])
})
