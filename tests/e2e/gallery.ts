import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import beforeJourneys from './before-journeys.ts'
import { stillWindow } from './screen-ways.ts'
import { screens } from './screens.ts'
import { openStage } from './stage.ts'

// Draws every screen in both themes at three widths into a folder: `npm run gallery`, or
// `npm run gallery -- --only inbox,topic --scale 1 --out /tmp/look` for a closer look at some.

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: resolve(import.meta.dirname, '../../docs/gallery') },
    only: { type: 'string' },
    scale: { type: 'string', default: '0.5' },
  },
})
const sizes = [
  { width: 900, height: 700 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
]
const themes = ['light', 'dark']
const only = values.only?.split(',')
const names = Object.keys(screens).filter((name) => only === undefined || only.includes(name))
const pictureOf = (name: string, width: number, theme: string) => `${name}-${width}-${theme}.png`

mkdirSync(values.out, { recursive: true })
// A complete run removes the pictures of former screens; a run of some screens leaves the others.
if (only === undefined)
  for (const file of readdirSync(values.out)) if (file.endsWith('.png')) rmSync(resolve(values.out, file))

await beforeJourneys()
const stage = await openStage({ window: { ...stillWindow, deviceScaleFactor: Number(values.scale) } })
try {
  for (const [name, show] of Object.entries(screens)) {
    for (const size of names.includes(name) ? sizes : sizes.slice(0, 1)) {
      const { width } = size
      await stage.page.setViewportSize(size)
      try {
        await show(stage)
        if (names.includes(name)) await draw(name, width)
      } catch (error) {
        process.exitCode = 1
        console.error(`${name} at ${width}: ${String(error)}`)
        await stage.page.screenshot({ path: resolve(values.out, `failed-${name}-${width}.png`) })
      }
    }
    console.log(name)
  }
} finally {
  await stage.close()
}

async function draw(name: string, width: number): Promise<void> {
  // Time for running animations and for pictures.
  await stage.page.waitForTimeout(300)
  // What an earlier screen said is no part of this one.
  const toast = stage.page.locator('.toast').first()
  await toast.waitFor({ state: 'detached', timeout: 8_000 }).catch(() => undefined)
  for (const theme of themes) {
    await stage.page.evaluate((value) => (document.documentElement.dataset['theme'] = value), theme)
    const picture = await stage.page.screenshot({ animations: 'disabled' })
    // A screen needs few colours, and then takes a tenth of the bytes.
    await sharp(picture)
      .png({ palette: true, colours: 96, effort: 7 })
      .toFile(resolve(values.out, pictureOf(name, width, theme)))
  }
}

if (only === undefined) {
  const rows = names.flatMap((name) => [
    `## ${name}`,
    '',
    ...sizes.flatMap(({ width }) => [
      themes
        .map((theme) => `![${name}, ${width} wide, ${theme}](${pictureOf(name, width, theme)})`)
        .join(' '),
      '',
    ]),
  ])
  writeFileSync(
    resolve(values.out, 'README.md'),
    ['# Gallery', '', 'Every screen, drawn by `npm run gallery`.', '', ...rows].join('\n'),
  )
}
