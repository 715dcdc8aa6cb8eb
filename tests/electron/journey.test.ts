import { resolve } from 'node:path'
import { _electron } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { buildIfStale } from '../../src-main/hosts/built-app.ts'
import { installedProgram } from '../../src-main/hosts/electron-runtime.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const program = installedProgram(root)

test.skipIf(program === null)(
  'the demo opens in Electron, keeps a draft over a restart, and is sandboxed',
  async () => {
    expect(buildIfStale(root)).toBe(true)
    const directory = temporaryFolder(onTestFinished)
    const launch = () =>
      _electron.launch({
        executablePath: program ?? '',
        args: [root, `--data-dir=${directory}`, '--demo=quiet'],
      })
    const app = await launch()
    const page = await app.firstWindow()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await page.evaluate(() => 'require' in globalThis || 'process' in globalThis)).toBe(false)
    await page.locator('nav.sb').getByRole('treeitem', { name: 'tide-gauges' }).click()
    await page.locator('.topics a', { hasText: 'gauge 4 offset drift' }).click()
    await page.getByLabel('Message', { exact: true }).fill('written in Electron')
    await page
      .getByTestId('draft-state')
      .getByText(/Draft saved|Saved on this device/)
      .waitFor()
    await app.close()

    const again = await launch()
    const window = await again.firstWindow()
    await window.locator('nav.sb').getByRole('treeitem', { name: 'tide-gauges' }).click()
    await window.locator('.topics a', { hasText: 'gauge 4 offset drift' }).click()
    await expect
      .poll(() => window.getByLabel('Message', { exact: true }).inputValue())
      .toBe('written in Electron')
    await again.close()
  },
)
