import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, Platform } from 'electron-builder'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage, rehearse, type Stage } from './rehearse.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const directory = temporaryFolder(afterAll)
let packaged: string
let stage: Stage

beforeAll(async () => {
  stage = await openStage()
  // Replaces Electron's program, which the packager only copies.
  const runtime = join(directory, 'runtime')
  mkdirSync(join(runtime, 'resources'), { recursive: true })
  for (const name of ['electron', 'chrome-sandbox', 'icudtl.dat', 'version', 'LICENSE']) {
    writeFileSync(join(runtime, name), 'stand-in')
    chmodSync(join(runtime, name), 0o755)
  }
  await build({
    projectDir: root,
    targets: Platform.LINUX.createTarget('dir'),
    config: {
      extends: join(root, 'build/electron-builder.yml'),
      directories: { output: join(directory, 'release') },
      electronDist: runtime,
      // A folder instead of an archive, so that plain Node can run the packaged app; the fuses exist only in the real
      // program.
      asar: false,
      electronFuses: null,
    },
  })
  packaged = join(directory, 'release/linux-unpacked/resources/app')
})

afterAll(async () => {
  await stage?.close()
})

test('the licences of what the window is made of come with it', () => {
  const licences = readFileSync(join(packaged, 'out/renderer/licences.md'), 'utf8')
  for (const name of [
    'svelte',
    'dompurify',
    'katex',
    'inter',
    'jetbrains-mono',
    'noto-color-emoji',
    'twemoji',
  ])
    expect(licences, name).toContain(name)
})

test('the package says what installers and desktops ask about it', () => {
  const about = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8')) as Record<string, unknown>
  // Packages for Debian and Red Hat must have one.
  expect(about['homepage']).toMatch(/^https:\/\//)
  // By it a Linux desktop finds the name and icon of a window.
  expect(about['desktopName']).toBe('dunlin.desktop')
})

test('the package holds what the app needs, and none of what it was made with', () => {
  expect(readdirSync(packaged).sort()).toEqual(['build', 'node_modules', 'out', 'package.json'])
  for (const name of [
    'main/main.js',
    'main/service.js',
    'main/export-worker.js',
    'main/thumbnail-worker.js',
    'preload/preload.cjs',
    'renderer/index.html',
  ]) {
    expect(existsSync(join(packaged, 'out', name)), name).toBe(true)
  }
  const modules = readdirSync(join(packaged, 'node_modules'))
  expect(modules).toEqual(expect.arrayContaining(['better-sqlite3', 'undici', 'fastify', 'zod', 'sharp']))
  for (const name of ['electron', 'vite', 'svelte', 'typescript', 'playwright-core', 'vitest', 'node']) {
    expect(modules, name).not.toContain(name)
  }
})

test('what was packed starts on its own, with the demo service in its own process', async () => {
  const app = rehearse(stage, join(directory, 'data'), ['--demo=quiet'], packaged)
  try {
    const page = await app.page()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect((await app.record()).tray).not.toBeNull()
  } finally {
    app.kill()
  }
})
