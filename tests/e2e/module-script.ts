import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { build } from 'vite'

/** Builds a module of the renderer and makes its exports a global of that name in a page without the app. */
export async function addModule(page: Page, name: string, file: string): Promise<void> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: {
        entry: resolve(import.meta.dirname, '../../src-renderer', file),
        name,
        formats: ['iife'],
        fileName: name,
      },
    },
  })
  const [first] = Array.isArray(built) ? built : [built]
  if (first === undefined || !('output' in first)) throw new Error('nothing was built')
  await page.addScriptTag({ content: `${first.output[0].code}; globalThis.${name} = ${name}` })
}
