import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

/** The rules of the service, by subject. Each folder may import those before it, and none of those after it. */
const serverRules = ['events', 'people', 'files', 'markdown', 'channels', 'messages', 'organization'].map(
  (subject) => `src-server/${subject}`,
)

/** What every part of the service may import. */
const serverFoundation = [
  'src-shared',
  'src-shared/api',
  'src-shared/clock',
  'src-server',
  'src-server/workspace.ts',
  'src-server/permissions',
]

/** What every part of the window may import. */
const rendererFoundation = [
  'src-renderer',
  'src-shared',
  'src-shared/model',
  'src-shared/bridge',
  'svelte',
  '@lucide/svelte',
  '@internationalized/date',
  'bits-ui',
  'virtua',
]

/** Who may import whom: a folder (or file), and the folders (or packages) that files in it may import beside their own. */
const layers: Record<string, readonly string[]> = {
  'src-shared': ['zod'],
  'src-shared/api': ['src-shared', 'zod'],
  'src-shared/model': ['src-shared'],
  'src-shared/bridge': ['src-shared', 'src-shared/model', 'zod'],
  // Windows load none of it: they get HTML.
  'src-shared/markdown': ['src-shared', 'markdown-it', 'katex', 'highlight.js', 'emojibase-data', 're2js'],
  // What every owner of a SQLite file does with it.
  'src-shared/sqlite': ['src-shared'],
  'src-shared/clock': [],
  // The service's foundation. It knows no rule.
  'src-server': [
    ...serverFoundation,
    'src-shared/sqlite',
    'src-server/migrations',
    'fastify',
    'better-sqlite3',
    'zod',
  ],
  'src-server/migrations': [],
  'src-server/permissions': [...serverFoundation, 'zod'],
  // The types of what a workspace holds.
  'src-server/workspace.ts': [
    ...serverFoundation,
    'src-server/events',
    'src-server/files',
    'src-server/exports',
  ],
  'src-server/exports': [...serverFoundation, 'better-sqlite3'],
  ...Object.fromEntries(
    serverRules.map((folder, place) => [
      folder,
      [
        ...serverFoundation,
        ...serverRules.slice(0, place),
        'src-shared/markdown',
        'src-server/exports',
        'fastify',
        'zod',
      ],
    ]),
  ),
  // Above the rules: nothing below imports what answers a request or calls a bot.
  'src-server/webhooks': [...serverFoundation, ...serverRules, 'src-shared/markdown'],
  'src-server/handlers': [
    ...serverFoundation,
    ...serverRules,
    'src-shared/markdown',
    'src-server/exports',
    'zod',
  ],
  'src-server/pages': [
    ...serverFoundation,
    ...serverRules,
    'src-shared/markdown',
    'src-server/exports',
    'fastify',
  ],
  // The demo's people use the API, as everybody does.
  'src-server/demo': [...serverFoundation, ...serverRules, 'src-shared/markdown', 'src-server/handlers'],
  // What puts the parts together.
  'src-server/create-workspace.ts': [...serverFoundation, ...serverRules, 'src-server/exports'],
  'src-server/build-server.ts': [
    ...serverFoundation,
    ...serverRules,
    'src-server/handlers',
    'src-server/pages',
    'fastify',
    'zod',
  ],
  'src-server/main.ts': [
    ...serverFoundation,
    ...serverRules,
    'src-server/create-workspace.ts',
    'src-server/build-server.ts',
    'src-server/demo',
    'src-server/webhooks',
  ],
  'src-renderer': [
    ...rendererFoundation,
    'src-renderer/state',
    'src-renderer/parts',
    'src-renderer/views',
    'emojibase-data',
    'dompurify',
    '@fontsource-variable/inter',
    '@fontsource-variable/jetbrains-mono',
    '@fontsource/noto-color-emoji',
    'twemoji-colr-font',
    'vite',
    '@sveltejs/vite-plugin-svelte',
  ],
  'src-renderer/state': rendererFoundation,
  'src-renderer/parts': [...rendererFoundation, 'src-renderer/state'],
  'src-renderer/views': [...rendererFoundation, 'src-renderer/state', 'src-renderer/parts', 'katex'],
  'src-main/store': [
    'src-shared',
    'src-shared/sqlite',
    'src-shared/model',
    'src-shared/bridge',
    'better-sqlite3',
    'htmlparser2',
    'zod',
  ],
  'src-main/api': ['src-shared', 'src-shared/api', 'src-shared/clock', 'src-shared/model', 'undici'],
  'src-main/queries': [
    'src-shared',
    'src-shared/markdown',
    'src-shared/model',
    'src-shared/bridge',
    'src-main/store',
    'src-main/notifications',
  ],
  'src-main/sync': [
    'src-shared',
    'src-shared/clock',
    'src-shared/api',
    'src-shared/model',
    'src-main/store',
    'src-main/api',
    'zod',
  ],
  'src-main/outbox': [
    'src-shared',
    'src-shared/clock',
    'src-shared/api',
    'src-shared/model',
    'src-shared/bridge',
    'src-main/store',
    'src-main/api',
  ],
  'src-main/drafts': [
    'src-shared',
    'src-shared/clock',
    'src-shared/api',
    'src-shared/model',
    'src-shared/bridge',
    'src-main/store',
    'src-main/api',
  ],
  'src-main/media': ['src-shared', 'src-shared/api', 'src-shared/clock', 'src-main/store', 'src-main/api'],
  'src-main/notifications': ['src-shared', 'src-shared/model'],
  'src-main/engine': [
    'src-shared',
    'src-shared/clock',
    'src-shared/sqlite',
    'src-shared/api',
    'src-shared/model',
    'src-shared/bridge',
    'src-main/api',
    'src-main/drafts',
    'src-main/media',
    'src-main/notifications',
    'src-main/outbox',
    'src-main/queries',
    'src-main/shell',
    'src-main/store',
    'src-main/sync',
  ],
  'src-main/shell': ['src-shared', 'src-shared/model'],
  'src-main/hosts': [
    'src-shared',
    'src-shared/clock',
    'src-shared/model',
    'src-shared/bridge',
    'src-main/engine',
    'src-main/store',
    'ws',
    'zod',
  ],
  // The one folder that knows Electron.
  'src-main/hosts/electron': [
    'src-shared',
    'src-shared/clock',
    'src-shared/model',
    'src-shared/bridge',
    'src-main/engine',
    'src-main/shell',
    'src-main/hosts',
    'electron',
    'zod',
  ],
}

const layerOf = (path: string): string | undefined =>
  Object.keys(layers)
    .filter((layer) => path === layer || path.startsWith(`${layer}/`))
    .sort((a, b) => b.length - a.length)[0]

function violations(): string[] {
  const found: string[] = []
  for (const [path, imports] of readSources()) {
    const own = layerOf(path)
    if (own === undefined) continue
    for (const { target } of imports) {
      if (target.startsWith('node:')) continue
      const to = target.startsWith('src-') ? layerOf(target) : target
      const isAllowed =
        to === undefined ||
        to === own ||
        (layers[own] ?? []).some(
          (allowed) => to === allowed || (to.startsWith(`${allowed}/`) && !allowed.startsWith('src-')),
        )
      if (!isAllowed) found.push(`${path} (${own}) may not import ${target} (${to})`)
    }
  }
  return found
}

test('every file belongs to a layer', () => {
  const paths = [...readSources().keys()]
  expect(paths.length).toBeGreaterThan(500)
  expect(paths.filter((path) => layerOf(path) === undefined)).toEqual([])
})

test('every import goes in the allowed direction', () => {
  expect(violations()).toEqual([])
})
