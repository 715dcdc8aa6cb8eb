import svelte from 'eslint-plugin-svelte'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['out/', 'release/', 'node_modules/', '**/*.js', '**/vite.config.ts'] },
  {
    files: [
      'src-shared/**/*.ts',
      'src-main/**/*.ts',
      'src-server/**/*.ts',
      'tests/**/*.ts',
      'bench/**/*.ts',
      'src-renderer/**/*.ts',
    ],
    extends: [tseslint.configs.base],
    languageOptions: {
      parserOptions: {
        project: [
          './src-shared/tsconfig.json',
          './src-main/tsconfig.json',
          './src-server/tsconfig.json',
          './src-renderer/tsconfig.json',
          './tests/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, attributes: false } },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  // Part of no project, so only what needs no types is asked of them.
  {
    files: ['*.config.ts'],
    extends: [tseslint.configs.base],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': 'error',
      eqeqeq: 'error',
    },
  },
  ...svelte.configs.base,
  {
    files: ['{src-renderer,bench}/**/*.svelte', 'src-renderer/**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: { 'svelte/no-at-html-tags': 'error', 'svelte/require-each-key': 'error' },
  },
)
