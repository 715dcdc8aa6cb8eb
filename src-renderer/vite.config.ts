import { svelte } from '@sveltejs/vite-plugin-svelte'
import { resolve } from 'node:path'
import { defineConfig } from 'vite'

const root = resolve(import.meta.dirname, '..')

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [svelte({ configFile: resolve(root, 'svelte.config.js') })],
  build: {
    outDir: resolve(root, 'out/renderer'),
    emptyOutDir: true,
    // Small files inlined as data: addresses would need a weaker Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
