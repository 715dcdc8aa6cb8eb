import { globSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canMount, openSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { goTo } from './browser.ts'
import { fileOnDisk } from './file-on-disk.ts'
import { openStage, type Stage } from './stage.ts'

// What a person sees and keeps while the disk with their account is full.

describe.skipIf(!canMount)('on a full disk', () => {
  let stage: Stage
  let disk: SmallDisk

  beforeAll(async () => {
    disk = openSmallDisk(64 * 1_024)
    stage = await openStage()
    rmSync(join(stage.appDirectory, 'accounts'), { recursive: true })
    symlinkSync(disk.directory, join(stage.appDirectory, 'accounts'))
    await stage.signIn()
    await stage.page.getByTestId('sync-pill').filter({ hasText: 'Synced' }).waitFor()
  })
  afterAll(async () => {
    await stage?.close()
    disk?.remove()
  })

  const field = () => stage.page.getByLabel('Message', { exact: true })
  const notSaved = () => stage.page.getByText('Not saved on this device yet')
  const rota = async () => {
    await goTo(stage.page, 'channel/1/topic/battery%20swap%20rota')
    await field().waitFor()
  }
  /** Leaves no room; without the log, which may have some even then. */
  function fillDisk(): void {
    disk.empty()
    for (const file of globSync(`${disk.directory}/*.db`)) {
      const sqlite = new Sqlite(file)
      sqlite.pragma('wal_checkpoint(TRUNCATE)')
      sqlite.close()
    }
    disk.leave(0)
  }
  async function typeUntilFull(): Promise<void> {
    for (let tries = 0; tries < 10 && !(await notSaved().isVisible()); tries++) {
      fillDisk()
      await field().pressSequentially('high ')
      await notSaved()
        .waitFor({ timeout: 3_000 })
        .catch(() => {})
    }
  }

  test('what is typed is there again after a look elsewhere', async () => {
    const { page } = stage
    await rota()
    await typeUntilFull()
    await field().fill('The tide gauge reads high since the storm.')
    await page.waitForTimeout(500)
    await goTo(page, 'inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await rota()
    await expect.poll(() => field().inputValue()).toBe('The tide gauge reads high since the storm.')
    await notSaved().waitFor()
  })

  test('a file that does not fit leaves nothing in the message, and says so', async () => {
    const { page } = stage
    await page.locator('input[type=file]').setInputFiles(fileOnDisk('photo.bin', Buffer.alloc(2_000_000)))
    await page.getByText('photo.bin wasn’t attached. The disk is full').waitFor()
    await expect.poll(() => field().inputValue()).toBe('The tide gauge reads high since the storm.')
    expect(await page.getByRole('list', { name: 'Files' }).count()).toBe(0)
  })

  test('the same is said where nothing else is written', async () => {
    const { page } = stage
    disk.empty()
    await expect.poll(() => notSaved().count()).toBe(0)
    await field().fill('')
    await page.getByText('photo.bin is not attached').waitFor({ state: 'detached' })
    fillDisk()
    await page.locator('input[type=file]').setInputFiles(fileOnDisk('photo.bin', Buffer.alloc(2_000_000)))
    await page.getByText('photo.bin wasn’t attached. The disk is full').waitFor()
    await page.waitForTimeout(500)
    expect(await page.getByText('photo.bin wasn’t attached. The disk is full').count()).toBe(1)
    expect(await field().inputValue()).toBe('')
  })

  test('an account that cannot be opened does not promise messages, and opens with room', async () => {
    const { page } = stage
    await stage.stopApp()
    fillDisk()
    await stage.startApp()
    await page.getByText('The disk is full, so this account can’t be opened').waitFor()
    await page.getByRole('heading', { name: 'This account isn’t open' }).waitFor()
    expect(await page.getByText('on their way').count()).toBe(0)
    // Its picture is not at hand either.
    await page.locator('.orgic').first().getByText('S', { exact: true }).waitFor()
    disk.empty()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.getByTestId('sync-pill').filter({ hasText: 'Synced' }).waitFor()
  })
})
