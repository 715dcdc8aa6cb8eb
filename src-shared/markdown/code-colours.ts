import { escapeHtml } from './html.ts'
import { highlighter } from './libraries.ts'

/** Maps highlight.js's scopes to Pygments' short class names, which clients' style sheets use. */
const classes: Readonly<Record<string, string>> = {
  keyword: 'k',
  built_in: 'nb',
  type: 'kt',
  literal: 'kc',
  regexp: 'sr',
  symbol: 'ss',
  subst: 'n',
  doctag: 'cs',
  meta: 'cp',
  title: 'nf',
  'title.function_': 'nf',
  'title.class_': 'nc',
  'title.class_.inherited__': 'nc',
  variable: 'nv',
  'variable.language_': 'bp',
  'variable.constant_': 'no',
  params: 'n',
  property: 'na',
  attr: 'na',
  attribute: 'na',
  name: 'nt',
  tag: 'p',
  'selector-tag': 'nt',
  'selector-id': 'nn',
  'selector-class': 'nc',
  'selector-attr': 'na',
  'selector-pseudo': 'nd',
  operator: 'o',
  punctuation: 'p',
  'char.escape_': 'se',
  section: 'gh',
  addition: 'gi',
  deletion: 'gd',
  emphasis: 'ge',
  strong: 'gs',
  link: 's',
  'template-tag': 'cp',
  'template-variable': 'nv',
}

/** Languages whose name differs from highlight.js's. Clients find playgrounds by these names. */
const names: Readonly<Record<string, string>> = {
  bash: 'Bash',
  c: 'C',
  console: 'Bash Session',
  cpp: 'C++',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  go: 'Go',
  html: 'HTML',
  ini: 'INI',
  java: 'Java',
  javascript: 'JavaScript',
  json: 'JSON',
  kotlin: 'Kotlin',
  latex: 'TeX',
  lua: 'Lua',
  makefile: 'Makefile',
  markdown: 'Markdown',
  perl: 'Perl',
  php: 'PHP',
  plaintext: 'Text only',
  powershell: 'PowerShell',
  python: 'Python',
  ruby: 'Ruby',
  rust: 'Rust',
  scss: 'SCSS',
  sh: 'Bash',
  shell: 'Bash Session',
  sql: 'SQL',
  swift: 'Swift',
  toml: 'TOML',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
}

function shortClass(scope: string, text: string): string | undefined {
  if (scope === 'string') {
    const quote = /^[a-zA-Z]{0,3}(["'`])/.exec(text)?.[1]
    return quote === '"' ? 's2' : quote === "'" ? 's1' : quote === '`' ? 'sb' : 's'
  }
  if (scope === 'number') return /^0x/i.test(text) ? 'mh' : /[.]|\de[+-]?\d/i.test(text) ? 'mf' : 'mi'
  if (scope === 'comment') return text.startsWith('/*') || text.startsWith('<!--') ? 'cm' : 'c1'
  return classes[scope] ?? classes[scope.split('.')[0] ?? '']
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}
const piece = /<span class="([^"]*)">|<\/span>|([^<]+)/g

/** Flattens highlight.js's nested spans to one level: the innermost scope that has a class decides. */
function flatten(highlighted: string): string {
  const open: (string | undefined)[] = []
  let html = ''
  const pieces = [...highlighted.matchAll(piece)]
  for (const [index, [, scopes, escaped]] of pieces.entries()) {
    if (scopes !== undefined) {
      const next = pieces[index + 1]?.[2] ?? ''
      const scope = scopes
        .replace(/^hljs-/, '')
        .split(' ')
        .join('.')
      open.push(shortClass(scope, unescapeText(next)) ?? open.at(-1))
    } else if (escaped === undefined) {
      open.pop()
    } else {
      const text = escapeHtml(unescapeText(escaped))
      const name = open.at(-1)
      html += name === undefined || text.trim() === '' ? text : `<span class="${name}">${text}</span>`
    }
  }
  return html
}

function unescapeText(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity)
}

/**
 * Highlights code: HTML with Pygments' short classes, and the language's full name.
 *
 * Undefined if the language (a name or alias in lower case) is unknown, or if its grammar gives up.
 */
export function colourCode(
  code: string,
  language: string,
): { html: string; languageName: string } | undefined {
  const grammar = highlighter().getLanguage(language)
  if (!grammar) return undefined
  const canonical = (grammar.name ?? language).toLowerCase()
  const languageName =
    names[language] ?? nameByAlias(language) ?? names[canonical] ?? grammar.name ?? language
  const result = highlighter().highlight(code, { language, ignoreIllegals: true })
  return result.errorRaised ? undefined : { html: flatten(result.value), languageName }
}

function nameByAlias(alias: string): string | undefined {
  const { getLanguage } = highlighter()
  const grammar = getLanguage(alias)
  return Object.entries(names).find(([language]) => getLanguage(language) === grammar)?.[1]
}
