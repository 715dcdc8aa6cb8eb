import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { emojiFonts } from './build/emoji-font.ts'

const root = import.meta.dirname

/**
 * Fonts lie on the disk beside the page: text waits the few milliseconds for them instead of jumping, and the older
 * format for other browsers would only make the installer bigger. Letters beyond Latin are a family of their own, after
 * the first in `tokens.css`: for each size and weight Chromium looks up, in the system's list of fonts, a stand-in for
 * every part of a family that is not loaded, needed or not, and that took longer than all the rest of the first layout.
 */
const localFonts: Plugin = {
  name: 'local-fonts',
  enforce: 'pre',
  transform: {
    filter: { id: /@fontsource-variable.*\.css$/ },
    handler: (css) =>
      css
        .replaceAll(/,\s*url\([^)]*\.woff\)\s*format\('woff'\)/g, '')
        .replaceAll('font-display: swap', 'font-display: block')
        .replaceAll(/@font-face \{[^}]*\}/g, (face) =>
          /-latin-(opsz|wght)-/.test(face)
            ? face
            : face.replace(/(font-family: '[^']*)'/, "$1 beyond Latin'"),
        ),
  },
}

/** A shape as what a path draws; null for one that is more than lines. */
function pathOf(tag: string, { d, points, x1, y1, x2, y2, ...rest }: Record<string, string>): string | null {
  if (Object.keys(rest).length > 0) return null
  // A first move counts from the corner, where another path has not ended elsewhere.
  if (tag === 'path' && d !== undefined) return d.startsWith('m') ? `M0 0${d}` : d
  if (tag === 'line') return `M${x1} ${y1}L${x2} ${y2}`
  if (tag === 'polyline' && points !== undefined) return `M${points}`
  return null
}

/**
 * An icon of the library puts itself together from data whenever it is drawn, a tenth of a millisecond each, and a
 * window has dozens. Here that is done once: what is compiled is the picture itself, all its lines as one path, since
 * every element of a page takes its time in every layout.
 */
const drawnIcons: Plugin = {
  name: 'drawn-icons',
  enforce: 'pre',
  load: {
    filter: { id: /@lucide\/svelte\/dist\/icons\/[^/]+\.svelte$/ },
    handler(id) {
      const data = /const iconData = (\{.*\});/.exec(readFileSync(id, 'utf8'))?.[1]
      if (data === undefined) throw new Error(`${id} has another form than it had.`)
      // The form of the library's own files; what they hold is only shapes.
      const { name, node } = JSON.parse(data) as { name: string; node: [string, Record<string, string>][] }
      const lines = node.flatMap(([tag, attributes]) => pathOf(tag, attributes) ?? [])
      const others = node.filter(([tag, attributes]) => pathOf(tag, attributes) === null)
      const all: typeof node = lines.length === 0 ? others : [...others, ['path', { d: lines.join('') }]]
      const shapes = all.map(
        ([tag, attributes]) =>
          `<${tag} ${Object.entries(attributes)
            .map(([attribute, value]) => `${attribute}="${value}"`)
            .join(' ')} />`,
      )
      return `<script>
          let { class: given, fill = 'none', style, 'aria-label': label, 'aria-hidden': hidden } = $props()
        </script>
        <svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" {fill} stroke="currentColor"
          stroke-width="2" stroke-linecap="round" stroke-linejoin="round" class={['lucide-icon lucide lucide-${name}', given]}
          {style} aria-label={label}
          aria-hidden={hidden ?? (label === undefined ? 'true' : undefined)}>${shapes.join('')}</svg>`
    },
  },
}

/**
 * Chromium keeps the text of a script as long as the window is open, and twice as much of one in which a single letter
 * is beyond its narrow form: such letters stand in it by their numbers.
 */
const narrowScripts: Plugin = {
  name: 'narrow-scripts',
  generateBundle(_options, bundle) {
    for (const part of Object.values(bundle))
      if (part.type === 'chunk')
        part.code = part.code.replaceAll(
          /(?<!\\)[^\0-\x7f]/g,
          (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
  },
}

/** Of emoji in other languages only what they are searched by: the rest is the same in English, and most of the file. */
const wordsOfEmoji: Plugin = {
  name: 'words-of-emoji',
  enforce: 'pre',
  load: {
    filter: { id: /emojibase-data\/(?!en\/)\w+\/compact\.json$/ },
    handler(id) {
      // The form of the library's own files.
      const entries = JSON.parse(readFileSync(id, 'utf8')) as {
        hexcode: string
        label: string
        tags?: string[]
      }[]
      return JSON.stringify(entries.map(({ hexcode, label, tags }) => ({ hexcode, label, tags })))
    },
  },
}

/**
 * The styles of the first picture stand in the page: nothing is painted before they are known, and asking for them takes
 * longer than reading them.
 */
const stylesInPage: Plugin = {
  name: 'styles-in-page',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) =>
      html.replace(/<link rel="stylesheet"[^>]* href="\.\/(assets\/[^"]+)">/, (_link, file: string) => {
        const styles = bundle?.[file]
        if (bundle === undefined || styles?.type !== 'asset') throw new Error(`${file} was not built.`)
        delete bundle[file]
        // Beside the file they would have been in lies all that they name.
        return `<style>${String(styles.source).replaceAll('url(./', 'url(./assets/')}</style>`
      }),
  },
}

/** In the host nothing but the first picture is drawn: the other pages are not even looked at there. */
const noOtherPages: Plugin = {
  name: 'no-other-pages',
  enforce: 'pre',
  transform: {
    filter: { id: /src-renderer\/views\/pages\.ts$/ },
    handler: (code) => code.replaceAll(/import\('[^']+\.svelte'\)/g, 'new Promise(() => {})'),
  },
}

/**
 * Texts that only the main process writes would be loaded before the first picture. That no window reads them is tested
 * (tests/architecture/texts.test.ts).
 */
const noMainTexts: Plugin = {
  name: 'no-main-texts',
  enforce: 'pre',
  load: {
    filter: { id: /\/texts\/\w+\/(native|outbox)\.ts$/ },
    handler: (id) => `export const ${/(\w+)\.ts$/.exec(id)?.[1]} = {}`,
  },
}

export default defineConfig({
  main: {
    plugins: [drawnIcons, noOtherPages, svelte({ configFile: resolve(root, 'svelte.config.js') })],
    build: {
      outDir: 'out/main',
      rollupOptions: {
        // How long a build took is not for people who start the app.
        checks: { pluginTimings: false },
        input: {
          main: resolve(root, 'src-main/hosts/electron/main.ts'),
          // The embedded service runs in a process of its own, so it is an entry of its own.
          service: resolve(root, 'src-server/main.ts'),
          // Threads of the service, which looks for them beside itself.
          'thumbnail-worker': resolve(root, 'src-server/files/thumbnail-worker.ts'),
          'export-worker': resolve(root, 'src-server/exports/export-worker.ts'),
          // Both hosts draw the first picture with it.
          'first-picture': resolve(root, 'src-renderer/first-picture.ts'),
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
  // Both hosts serve this one; the web host needs nothing else of what is built.
  renderer: {
    root: resolve(root, 'src-renderer'),
    base: './',
    plugins: [
      localFonts,
      drawnIcons,
      narrowScripts,
      wordsOfEmoji,
      stylesInPage,
      noMainTexts,
      emojiFonts(resolve(root, 'node_modules/.cache/fonts')),
      svelte({ configFile: resolve(root, 'svelte.config.js') }),
    ],
    build: {
      outDir: resolve(root, 'out/renderer'),
      emptyOutDir: true,
      // Of all that the files below are made of.
      license: { fileName: 'licences.md' },
      rollupOptions: {
        input: resolve(root, 'src-renderer/index.html'),
        checks: { pluginTimings: false },
        // A few files instead of one for each icon: what every start needs, what reading and writing needs, the rest.
        output: {
          codeSplitting: {
            groups: [
              { name: 'start', tags: ['$initial'], priority: 4 },
              {
                name: 'icons',
                test: /@lucide|NetworkFields/,
                includeDependenciesRecursively: false,
                priority: 2,
              },
              { name: 'shared', minShareCount: 2, priority: 1 },
              { name: 'feed', test: /views\/(feed|compose)\// },
            ],
          },
        },
      },
      minify: true,
      // Small files inlined as data: addresses would need a weaker Content-Security-Policy.
      assetsInlineLimit: 0,
      // Read from the disk, not over a network.
      chunkSizeWarningLimit: 1_500,
      modulePreload: { polyfill: false },
    },
  },
})
