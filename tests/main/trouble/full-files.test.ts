import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failureOf } from '../../../src-shared/failure.ts'
import { channelId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import { linkToFile } from '../../../src-shared/model/outgoing-file.ts'
import { journalPath, readJournal } from '../../../src-main/store/journal.ts'
import { manualClock } from '../../fakes/clock.ts'
import { startService, type TestService } from '../../support/service.ts'
import { canMount, openSmallDisk, type SmallDisk } from '../../support/small-disk.ts'
import { asKilled, openBench, removeFolders, type Bench } from './bench.ts'

// Files beside the account's file on a full disk: the journal of the own tables, and the copies of outgoing files.

let service: TestService
let disk: SmallDisk
let bench: Bench
let topic: Conversation & { kind: 'topic' }
let maren: { userId: number; email: string; apiKey: string }
const open = (directory: string) => openBench({ directory, clock: manualClock() })

beforeEach(async () => {
  if (!canMount) return
  disk = openSmallDisk()
  service = await startService()
  maren = service.createUser('Maren Aske')
  const channel = service.createChannel('gauges', [maren.userId])
  topic = { kind: 'topic', channelId: channelId(channel), topic: 'drift' }
  const signIn = { baseUrl: service.baseUrl, email: maren.email, apiKey: maren.apiKey }
  bench = await openBench({ directory: disk.directory, signIn, clock: manualClock() })
  await bench.until('sync-state', { accountId: bench.accountId }, ({ status }) => status === 'synced')
})
afterEach(async () => {
  if (!canMount) return
  await bench.close()
  await service.close()
  disk.remove()
})
afterAll(removeFolders)

/** Whether the work succeeded; otherwise checks that the failure says that the disk is full. */
async function isTaken(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    const failure = failureOf(error)
    expect(failure).toMatchObject({ kind: 'device', code: 'disk-full' })
    expect(failure.message).toContain('Everything saved before is safe. Free some space and try again.')
    return false
  }
}

describe.skipIf(!canMount)('the journal', () => {
  const taken: string[] = []
  const save = (content: string) =>
    bench.bridge.call('save-draft', {
      accountId: bench.accountId,
      draftId: null,
      draft: { recipient: topic, content },
    })
  const draftsOf = async (one: Bench) =>
    (await one.ask('drafts', { accountId: one.accountId })).map(({ content }) => content).toSorted()
  const inJournal = () =>
    [...(readJournal(journalPath(bench.path))?.tables.get('drafts')?.values() ?? [])]
      .map(({ content }) => content)
      .toSorted()
  /** Writes until nothing more is accepted; the journal may have run out of room long before. */
  async function writeUntilFull(name: string): Promise<void> {
    for (let n = 0; n < 400; n++) {
      const content = `${name} ${n}: ${'reads high '.repeat(10 * (1 + (n % 60)))}.`
      if (!(await isTaken(() => save(content)))) return
      taken.push(content)
      await turn()
    }
    throw new Error('The disk never was full.')
  }

  /** Makes the file's log reuse room that it already has, so that the journal is the first to run out. */
  async function makeRoomInLog(): Promise<void> {
    const content = 'a long draft '.repeat(20_000)
    await save(content)
    taken.push(content)
    bench.store().db.get('PRAGMA wal_checkpoint(RESTART)')
  }

  beforeEach(async () => {
    taken.length = 0
    // So that waiting changes stay here.
    await service.stop()
  })

  test('whichever of the two has no room, what was taken is in the file, and in both once there is room', async () => {
    for (const pages of [0, 1, 2, 3, 5, 9, 14, 40]) {
      if (pages % 2 === 1) await makeRoomInLog()
      disk.leave(pages)
      await writeUntilFull(`room for ${pages}`)
      expect(await draftsOf(bench)).toEqual(taken.toSorted())
      const killed = await open(asKilled(bench.directory))
      expect(await draftsOf(killed)).toEqual(taken.toSorted())
      await killed.close()
      disk.empty()
    }
    const last = 'and the first words with room again'
    await save(last)
    taken.push(last)
    await turn()
    expect(inJournal()).toEqual(taken.toSorted())
    expect(bench.log.some((line) => line.includes('journal: ENOSPC'))).toBe(true)
    // From then on the two agree, whatever else is written: a killed process leaves nothing to repair or to tell of.
    bench.store().write((db) => db.run(`INSERT INTO organization VALUES ('of the cache', '1')`))
    await turn()
    expect(readJournal(journalPath(bench.path))?.isWhole).toBe(true)
    const left = await open(asKilled(bench.directory))
    expect((await left.ask('sync-state', { accountId: left.accountId })).fileNotice).toBe(null)
    await left.close()
    // The journal does its job: the file is destroyed, but no draft is lost.
    await bench.close()
    writeFileSync(bench.path, Buffer.alloc(8_192, 7))
    bench = await open(bench.directory)
    expect(await draftsOf(bench)).toEqual(taken.toSorted())
    expect((await bench.ask('sync-state', { accountId: bench.accountId })).fileNotice?.message).toContain(
      'safe',
    )
  })

  test('a file is opened although its journal has no room, and both are the same with the first words after', async () => {
    await save('before')
    taken.push('before')
    // The journal is behind when the process ends.
    await makeRoomInLog()
    disk.leave(0)
    await writeUntilFull('the last room')
    expect(inJournal()).not.toEqual(taken.toSorted())
    const left = asKilled(disk.directory)
    await bench.close()
    disk.empty()
    // Restores the state at the kill, because closing the file made room in its log.
    for (const name of readdirSync(left)) rmSync(join(disk.directory, name), { recursive: true, force: true })
    cpSync(left, disk.directory, { recursive: true })
    let opened = 0
    for (let pages = 0; pages < 60 && opened === 0; pages++) {
      disk.leave(pages)
      try {
        bench = await open(disk.directory)
      } catch (error) {
        expect(failureOf(error)).toMatchObject({ kind: 'device', code: 'disk-full' })
        continue
      }
      const { status, problem } = await bench.ask('sync-state', { accountId: bench.accountId })
      if (status === 'incompatible') {
        expect(problem).toContain('Everything in it is safe')
        await bench.close()
      } else opened = pages
    }
    expect(opened).toBeGreaterThan(0)
    expect(await draftsOf(bench)).toEqual(taken.toSorted())
    disk.empty()
    await save('after')
    taken.push('after')
    await turn()
    expect(inJournal()).toEqual(taken.toSorted())
  })
})

describe.skipIf(!canMount)('a file that goes along with a message', () => {
  const bytes = Buffer.alloc(200_000, 'gauge ')
  const attach = async () => {
    const { accountId, bridge } = bench
    const { fileId } = await bridge.call('begin-file', {
      accountId,
      name: 'offset.png',
      mediaType: 'image/png',
      size: bytes.length,
    })
    for (let from = 0; from < bytes.length; from += 60_000)
      await bridge.call('put-file-part', {
        accountId,
        fileId,
        bytes: bytes.subarray(from, from + 60_000).toString('base64'),
      })
    return fileId
  }
  const copies = () =>
    readdirSync(join(disk.directory, 'accounts')).filter((name) => name.includes('-sent-file-'))
  const send = (content: string) =>
    bench.bridge.call('act', {
      accountId: bench.accountId,
      action: { name: 'send-message', conversation: topic, content, draftId: null },
    })
  const sent = () =>
    service.database.all<{ content: string }>('SELECT content FROM messages').map(({ content }) => content)

  test('wherever the room ends while it is copied, nothing of it is left, and with room it is taken', async () => {
    let refused = 0
    let fileId = ''
    let shown: readonly unknown[] = []
    const stopWatching = bench.bridge.watch(
      'files',
      { accountId: bench.accountId },
      (files) => (shown = files),
    )
    for (let pages = 0; fileId === ''; pages++) {
      disk.leave(pages)
      const isWhole = await isTaken(async () => {
        fileId = await attach()
      })
      if (isWhole) break
      refused++
      expect(await bench.ask('files', { accountId: bench.accountId })).toEqual([])
      expect(copies()).toEqual([])
      // Windows hear of it too.
      await expect.poll(() => shown).toEqual([])
    }
    stopWatching()
    // Its bytes take 49 pages, and its metadata one more.
    expect(refused).toBe(50)
    const { accountId } = bench
    disk.empty()
    await send(`here it is: [offset.png](${linkToFile(fileId)})`)
    await bench.until('outbox', { accountId }, (items) => items.length === 0)
    expect(sent()).toHaveLength(1)
    expect(sent()[0]).toMatch(/^here it is: \[offset\.png\]\(\/user_uploads\//)
  })

  describe('that arrives at the server while the disk takes nothing', () => {
    const onServer = () => service.database.all('SELECT 1 FROM attachments').length

    beforeEach(async () => {
      await service.stop()
      await send(`here it is: [offset.png](${linkToFile(await attach())})`)
      disk.leave(0)
      await service.start()
      await expect
        .poll(async () => {
          // Moves the clock.
          await bench.ask('files', { accountId: bench.accountId })
          return onServer()
        })
        .toBe(1)
    })

    const expectSentOnce = async () => {
      disk.empty()
      await bench.until('outbox', { accountId: bench.accountId }, (items) => items.length === 0)
      expect(sent()).toHaveLength(1)
      expect(sent()[0]).toMatch(/^here it is: \[offset\.png\]\(\/user_uploads\//)
    }

    test('its message goes when there is room, with the file that is there', async () => {
      await expectSentOnce()
      expect(onServer()).toBe(1)
    })

    test('its message goes once, also when the process ends before there is room', async () => {
      const killed = await open(asKilled(disk.directory))
      await bench.close()
      bench = killed
      await expectSentOnce()
    })
  })
})

describe.skipIf(!canMount)('a picture that does not fit', () => {
  test('is shown, and does not take the room that words need', async () => {
    const { accountId } = bench
    const bytes = Buffer.alloc(400_000, 'gauge ')
    const form = new FormData()
    form.append('file', new Blob([bytes], { type: 'image/png' }), 'offset.png')
    const answer = await fetch(`${service.baseUrl}/user_uploads`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${maren.email}:${maren.apiKey}`)}` },
      body: form,
    })
    const { url } = (await answer.json()) as { url: string }
    disk.leave(60)
    const shown = await bench.engine.media(accountId, url)
    expect(shown?.body.length).toBe(bytes.length)
    const draft = { recipient: topic, content: 'the gauge reads high '.repeat(2_000) }
    expect(await isTaken(() => bench.bridge.call('save-draft', { accountId, draftId: null, draft }))).toBe(
      true,
    )
    const folder = join(disk.directory, 'accounts')
    const media = readdirSync(folder).filter((name) => name.endsWith('-media'))
    expect(media.flatMap((name) => readdirSync(join(folder, name)))).toEqual([])
  })
})
