import { resolve } from 'node:path'
import { defineConfig } from 'electron-vite'
import renderer from './src-renderer/vite.config.ts'

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
  renderer,
})
