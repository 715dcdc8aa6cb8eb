import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'

/** @type {import('@sveltejs/vite-plugin-svelte').SvelteConfig} */
export default {
  preprocess: vitePreprocess({ script: false }),
  // The same names in the window and in the picture that the host draws of it.
  compilerOptions: { runes: true, cssHash: ({ hash, css }) => `s-${hash(css)}` },
}
