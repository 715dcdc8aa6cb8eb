import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { prerender, firstPage } from '../../../src-main/hosts/first-page.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let directory: string
let theme: string
let asked: number
let logged: string[]
const log = (line: string) => logged.push(line)
const server = {
  call: () => Promise.reject(new Error('Nothing is called.')),
  watch(name: string, _params: unknown, update: (json: string) => void) {
    if (name === 'device-settings') {
      asked++
      update(JSON.stringify({ theme }))
    }
    return () => {}
  },
}
/** Renders a page in advance, until it has asked for everything that it shows. */
async function drawnAhead(name: string) {
  prerender(server, folder(name), log)
  while (asked === 0) await nextTurn()
}
const folder = (name: string) => join(directory, name)

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  for (const name of ['one', 'other']) {
    mkdirSync(folder(name))
    writeFileSync(join(folder(name), 'index.html'), `<html><title>${name}</title><div id="app"></div></html>`)
  }
  theme = 'before'
  asked = 0
  logged = []
})
afterEach(() => {
  vi.useRealTimers()
})

test('a page that was drawn ahead is given out once; the next one shows what is so by then', async () => {
  await drawnAhead('one')
  theme = 'after'
  expect(await firstPage(server, folder('one'), log)).toContain('before')
  expect(await firstPage(server, folder('one'), log)).toContain('after')
})

test('a page that was drawn ahead is not given out for another folder', async () => {
  await drawnAhead('one')
  theme = 'after'
  const page = await firstPage(server, folder('other'), log)
  expect(page).toContain('<title>other</title>')
  expect(page).toContain('after')
})

test('a page that no window asked for in ten seconds is not given out', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await drawnAhead('one')
  theme = 'after'
  vi.advanceTimersByTime(10_000)
  expect(await firstPage(server, folder('one'), log)).toContain('after')
})

test('what cannot be drawn is told to whoever asks, and drawn anew for the next', async () => {
  rmSync(join(folder('one'), 'index.html'))
  prerender(server, folder('one'), log)
  await nextTurn()
  await expect(firstPage(server, folder('one'), log)).rejects.toThrow('ENOENT')
  writeFileSync(join(folder('one'), 'index.html'), '<html><div id="app"></div></html>')
  expect(await firstPage(server, folder('one'), log)).toContain('before')
})

test('why a build draws no first picture stands in the log, once', async () => {
  await firstPage(server, folder('other'), log)
  await firstPage(server, folder('other'), log)
  expect(logged).toHaveLength(1)
  expect(logged[0]).toMatch(/^first picture: .*first-picture\.js/s)
})
