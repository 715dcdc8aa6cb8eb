import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ask, foundIn, runCommand, spawnService } from '../support/service-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder(afterAll)

test('a copy that is made while people write holds all that was acknowledged before, and a service goes on from it', async () => {
  const dataDir = mkdtempSync(join(folder, 'data-'))
  const copy = join(folder, 'copy')
  const { writers, channel } = foundIn(dataDir, 2)
  const [writer, other] = [writers[0]!, writers[1]!]
  const service = await spawnService(dataDir)
  const form = new FormData()
  form.append('file', new Blob(['the words of a file']), 'words.txt')
  const url = String((await ask(service.baseUrl, writer, 'POST', '/user_uploads', form)).body['url'])
  const send = (content: string) =>
    ask(service.baseUrl, other, 'POST', '/messages', { type: 'stream', to: channel, topic: 'copy', content })
  await send('before the copy')
  let isDone = false
  const writing = (async () => {
    for (let round = 0; !isDone && round < 150; round++) await send(`meanwhile ${round}`)
  })()
  const { status, said } = await runCommand(['--data-dir', dataDir, '--backup-to', copy])
  isDone = true
  await writing
  expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining('1 files') })
  // Everybody's keys are in it.
  if (process.platform !== 'win32') expect(statSync(copy).mode & 0o077).toBe(0)
  await service.kill()

  const restored = await spawnService(copy)
  const { body } = await ask(restored.baseUrl, writer, 'GET', '/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 5,
    apply_markdown: false,
  })
  expect(body['messages']).toContainEqual(expect.objectContaining({ content: 'before the copy' }))
  const response = await fetch(`${new URL(restored.baseUrl).origin}${url}`, {
    headers: { authorization: `Basic ${btoa(`${writer.email}:${writer.key}`)}` },
  })
  expect(await response.text()).toBe('the words of a file')
  const place = { type: 'stream', to: channel, topic: 'copy', content: 'after the copy' }
  expect((await ask(restored.baseUrl, writer, 'POST', '/messages', place)).status).toBe(200)
  await restored.kill()
})

test('nothing is written over, and a folder without a workspace is said to be one', async () => {
  const dataDir = mkdtempSync(join(folder, 'data-'))
  foundIn(dataDir, 1)
  const taken = mkdtempSync(join(folder, 'taken-'))
  const over = await runCommand(['--data-dir', dataDir, '--backup-to', taken])
  expect(over).toEqual({ status: 1, said: expect.stringContaining('there already') })
  expect(readdirSync(taken)).toEqual([])
  const empty = mkdtempSync(join(folder, 'empty-'))
  const target = join(folder, 'never')
  const none = await runCommand(['--data-dir', empty, '--backup-to', target])
  expect(none).toEqual({ status: 1, said: expect.stringContaining('no workspace') })
  expect(existsSync(target)).toBe(false)
})
