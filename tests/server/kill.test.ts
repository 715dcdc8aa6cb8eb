import { mkdtempSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src-server/database.ts'
import { ask, foundIn, spawnService, startProcess, type Writer } from '../support/service-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder(afterAll)

/** What the service said it has. */
interface Acknowledged {
  readonly messages: Map<number, string>
  readonly drafts: { writer: Writer; id: number; content: string }[]
  readonly files: { writer: Writer; url: string; content: string }[]
}

/** Writes without a pause until the service is gone. */
async function write(
  baseUrl: string,
  writer: Writer,
  channel: number,
  known: Acknowledged,
  noticed: () => void,
): Promise<void> {
  for (let round = 0; ; round++) {
    const content = `${writer.email} ${round} ${'word '.repeat(round % 40)}`.trim()
    try {
      const place = { type: 'stream', to: channel, topic: `topic ${round % 5}` }
      const sent = await ask(baseUrl, writer, 'POST', '/messages', { ...place, content })
      if (sent.status !== 200) return
      known.messages.set(Number(sent.body['id']), content)
      noticed()
      const draft = { type: 'stream', to: [channel], topic: 'later', content }
      const saved = await ask(baseUrl, writer, 'POST', '/drafts', { drafts: [draft] })
      if (saved.status !== 200) return
      const [id] = saved.body['ids'] as [number]
      known.drafts.push({ writer, id, content })
      noticed()
      const form = new FormData()
      form.append('file', new Blob([content]), 'words.txt')
      const stored = await ask(baseUrl, writer, 'POST', '/user_uploads', form)
      if (stored.status !== 200) return
      known.files.push({ writer, url: String(stored.body['url']), content })
      noticed()
    } catch {
      return
    }
  }
}

test('what was acknowledged is there after a kill at any moment', async () => {
  const dataDir = mkdtempSync(join(folder, 'load-'))
  const { writers, channel } = foundIn(dataDir, 6)
  const known: Acknowledged = { messages: new Map(), drafts: [], files: [] }
  for (const acknowledgements of [7, 60, 133]) {
    const service = await spawnService(dataDir)
    let count = 0
    let enough = () => {}
    const reached = new Promise<void>((resolve) => (enough = resolve))
    const writing = writers.map((writer) =>
      write(service.baseUrl, writer, channel, known, () => {
        if (++count >= acknowledgements) enough()
      }),
    )
    await Promise.race([reached, Promise.all(writing)])
    await service.kill()
    await Promise.all(writing)
    expect(count).toBeGreaterThanOrEqual(acknowledgements)
  }

  const database = openDatabase(join(dataDir, 'workspace.db'))
  expect(database.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
  const rows = database.all<{ message_id: number; content: string; owned: number }>(
    `SELECT message_id, content, (SELECT count(*) FROM user_messages um WHERE um.message_id = m.message_id) AS owned
     FROM messages m`,
  )
  const contents = new Map(rows.map((row) => [row.message_id, row.content]))
  for (const [id, content] of known.messages) expect(contents.get(id)).toBe(content)
  // Also what was written without an answer is whole: everybody has a row of it.
  for (const row of rows) expect(row.owned).toBe(writers.length)
  database.close()

  const service = await spawnService(dataDir)
  for (const writer of writers) {
    const { body } = await ask(service.baseUrl, writer, 'GET', '/drafts')
    expect(body['drafts']).toEqual(
      expect.arrayContaining(
        known.drafts
          .filter((draft) => draft.writer === writer)
          .map(({ id, content }) => expect.objectContaining({ id, content })),
      ),
    )
  }
  const root = new URL(service.baseUrl).origin
  for (const { writer, url, content } of known.files) {
    const response = await fetch(`${root}${url}`, {
      headers: { authorization: `Basic ${btoa(`${writer.email}:${writer.key}`)}` },
    })
    expect(await response.text()).toBe(content)
  }
  await service.kill()
  expect(known.messages.size).toBeGreaterThan(30)
  expect(known.drafts.length).toBeGreaterThan(30)
  expect(known.files.length).toBeGreaterThan(30)
})

test('what was acknowledged is there after a kill while the log is moved into the file', async () => {
  const dataDir = mkdtempSync(join(folder, 'log-'))
  const path = join(dataDir, 'workspace.db')
  const { writers, channel } = foundIn(dataDir, 10)
  const service = await spawnService(dataDir)
  const before = statSync(path).size
  const known = new Set<number>()
  const place = { type: 'stream', to: channel, topic: 'long' }
  let isOver = false
  const writing = writers.map(async (writer, index) => {
    for (let round = 0; !isOver && round < 150; round++) {
      const content = `${index} ${round} `.repeat(1_200).slice(0, 9_900)
      const sent = await ask(service.baseUrl, writer, 'POST', '/messages', { ...place, content }).catch(
        () => null,
      )
      if (sent?.status === 200) known.add(Number(sent.body['id']))
    }
  })
  // The thread has begun and is not done.
  await expect.poll(() => statSync(path).size, { interval: 1 }).toBeGreaterThan(before)
  await service.kill()
  isOver = true
  await Promise.all(writing)

  const database = openDatabase(path)
  expect(database.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
  const rows = database.all<{ message_id: number; length: number; owned: number }>(
    `SELECT message_id, length(content) AS length,
       (SELECT count(*) FROM user_messages um WHERE um.message_id = m.message_id) AS owned FROM messages m`,
  )
  database.close()
  expect(known.size).toBeGreaterThan(100)
  const ids = new Set(rows.map((row) => row.message_id))
  expect([...known].filter((id) => !ids.has(id))).toEqual([])
  for (const { length, owned } of rows) expect([length > 2_000, owned]).toEqual([true, writers.length])
})

test('scheduled messages that fall due around a kill are all sent, each once', async () => {
  const dataDir = mkdtempSync(join(folder, 'due-'))
  const { writers, channel } = foundIn(dataDir, 1)
  const writer = writers[0]!
  const database = openDatabase(join(dataDir, 'workspace.db'))
  let due = 0
  const schedule = (many: number) =>
    database.transaction(() => {
      for (const end = due + many; due < end; due++)
        database.run(
          `INSERT INTO scheduled_messages (user_id, channel_id, topic, content, client, deliver_at, read_by_sender)
           VALUES ((SELECT user_id FROM users WHERE email = ?), ?, 'due', ?, 'test', ?, 1)`,
          writer.email,
          channel,
          `due ${due}`,
          Math.floor(Date.now() / 1000),
        )
    })
  const sent = () =>
    database
      .all<{ content: string }>(`SELECT content FROM messages WHERE content LIKE 'due %' ORDER BY message_id`)
      .map((row) => row.content)
  // It sends them as it begins; the kill comes in the middle of that. Where this test is the slower
  // of the two, more of them have to be due.
  for (let many = 300; sent().length === due && many < 10_000; many *= 2) {
    const before = due
    schedule(many)
    const first = startProcess(dataDir)
    await expect.poll(() => sent().length, { interval: 1 }).toBeGreaterThan(before)
    await first.kill()
  }
  expect(sent().length).toBeLessThan(due)
  const second = await spawnService(dataDir)
  await expect.poll(() => sent().length).toBeGreaterThanOrEqual(due)
  await second.kill()
  expect(sent()).toEqual(Array.from({ length: due }, (_, index) => `due ${index}`))
  expect(database.all('SELECT 1 FROM scheduled_messages')).toEqual([])
  database.close()
})
