// Draws the PNGs that systems want from the icons' SVG sources: npm run icons. The results are committed.
import sparticuz from '@sparticuz/chromium'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const icons = join(import.meta.dirname, 'icons')
const out = join(icons, 'png')
const dot = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6" fill="${color}"/></svg>`

/** One PNG: which drawing, how many pixels, under which name. */
interface Drawing {
  readonly svg: string
  readonly size: number
  readonly path: string
}

const source = (name: string) => readFileSync(join(icons, `${name}.svg`), 'utf8')
const trayNames = ['tray-light', 'tray-dark', 'tray-template'].flatMap((name) =>
  ['', '-unread', '-attention', '-offline']
    .map((state) => `${name}${state}`)
    .filter((full) => full !== 'tray-template-attention'),
)

const drawings: Drawing[] = [
  // electron-builder makes .ico and the sizes for Linux from these.
  { svg: source('dunlin'), size: 1024, path: join(import.meta.dirname, 'icon.png') },
  { svg: source('dunlin-macos'), size: 1024, path: join(import.meta.dirname, 'icon-macos.png') },
  ...[16, 24, 32, 48].map((size) => ({
    svg: source(`dunlin-${size}`),
    size,
    path: join(out, `${size}x${size}.png`),
  })),
  ...[64, 128, 256, 512].map((size) => ({
    svg: source('dunlin'),
    size,
    path: join(out, `${size}x${size}.png`),
  })),
  ...trayNames.flatMap((name) => [
    { svg: source(name), size: 22, path: join(out, `${name}.png`) },
    { svg: source(name), size: 44, path: join(out, `${name}@2x.png`) },
  ]),
  { svg: dot('#1c7787'), size: 16, path: join(out, 'overlay-unread.png') },
  { svg: dot('#b95019'), size: 16, path: join(out, 'overlay-attention.png') },
]

mkdirSync(out, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env['DUNLIN_CHROMIUM'] ?? (await sparticuz.executablePath()),
  args: sparticuz.args,
})
const page = await browser.newPage()
for (const { svg, size, path } of drawings) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(
    `<style>body{margin:0}img{display:block;width:${size}px;height:${size}px}</style>
     <img src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}">`,
  )
  writeFileSync(path, await page.screenshot({ omitBackground: true }))
}
await browser.close()
