import parser from '@typescript-eslint/parser'
import svelte from 'eslint-plugin-svelte'

// What only Svelte's own plugin knows; everything else is asked of Oxlint (.oxlintrc.json).
export default [
  { ignores: ['out/', 'release/', '**/*.js', '**/*.ts', '!**/*.svelte.ts'] },
  ...svelte.configs.base,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser } },
    rules: { 'svelte/no-at-html-tags': 'error', 'svelte/require-each-key': 'error' },
  },
]
