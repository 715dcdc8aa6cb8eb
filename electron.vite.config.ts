import { svelte } from '@sveltejs/vite-plugin-svelte'
import { resolve } from 'node:path'
import { defineConfig } from 'electron-vite'

const root = import.meta.dirname

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      rollupOptions: {
        input: {
          main: resolve(root, 'src-main/hosts/electron/main.ts'),
          // The embedded service runs in a process of its own, so it is an entry of its own.
          service: resolve(root, 'src-server/main.ts'),
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      rollupOptions: {
        input: { preload: resolve(root, 'src-main/hosts/electron/preload.ts') },
        // A sandboxed preload must be CommonJS, and the package is of type module.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    plugins: [svelte({ configFile: resolve(root, 'svelte.config.js') })],
    build: {
      outDir: resolve(root, 'out/renderer'),
      emptyOutDir: true,
      // Small files inlined as data: addresses would need a weaker Content-Security-Policy.
      assetsInlineLimit: 0,
      rollupOptions: { input: { index: resolve(root, 'src-renderer/index.html') } },
    },
  },
})
