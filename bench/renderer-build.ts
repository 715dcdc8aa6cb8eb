import { copyFileSync, cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build } from 'vite'
import { buildIfStale } from '../src-main/hosts/built-app.ts'
import { mixedHtml } from './mixed-messages.ts'

const root = resolve(import.meta.dirname, '..')
const pages = join(import.meta.dirname, 'renderer-pages')

/**
 * Builds the app and the pages beside it, each into a folder below `directory`. Pages whose start is measured carry a
 * probe.
 * Returns the folders; the empty page is the start page of `floor`.
 */
export async function buildPages(directory: string): Promise<{ app: string; floor: string }> {
  if (!buildIfStale(root)) throw new Error('The app could not be built.')
  const app = join(directory, 'app')
  const floor = join(directory, 'floor')
  cpSync(join(root, 'out/renderer'), app, { recursive: true })
  cpSync(join(root, 'out/main'), join(directory, 'main'), { recursive: true })
  await build({
    configFile: false,
    root: pages,
    base: './',
    logLevel: 'error',
    plugins: [svelte({ configFile: join(root, 'svelte.config.js') })],
    build: {
      outDir: floor,
      emptyOutDir: true,
      target: 'esnext',
      modulePreload: { polyfill: false },
      rollupOptions: {
        input: readdirSync(pages)
          .filter((name) => name.endsWith('.html'))
          .map((name) => join(pages, name)),
      },
    },
  })
  writeFileSync(
    join(floor, 'messages.json'),
    JSON.stringify(Array.from({ length: 20_000 }, () => mixedHtml())),
  )
  renameSync(join(floor, 'empty.html'), join(floor, 'index.html'))
  for (const [folder, wanted] of [
    [app, '.ibx .ir'],
    [floor, 'main button'],
  ] as const) {
    const page = join(folder, 'index.html')
    const probe = `<script src="./probe.js" data-wanted="${wanted}"></script>`
    writeFileSync(page, readFileSync(page, 'utf8').replace('<head>', `<head>${probe}`))
    copyFileSync(join(pages, 'probe.js'), join(folder, 'probe.js'))
  }
  return { app, floor }
}
