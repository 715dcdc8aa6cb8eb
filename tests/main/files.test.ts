import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectBridge } from '../../src-shared/bridge/connect.ts'
import { serveBridge } from '../../src-shared/bridge/serve.ts'
import { channelId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { linkToFile, type OutgoingFile } from '../../src-shared/model/outgoing-file.ts'
import { openDevice, portPair, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
/** The service's configuration, also for its next start. */
let configuration: { maxUploadMib: number }
let device: Device
let topic: Conversation & { kind: 'topic' }
let account: { email: string; apiKey: string }

beforeEach(async () => {
  configuration = { maxUploadMib: 1 }
  service = await startService({ configuration })
  const maren = service.createUser('Maren Aske')
  account = maren
  topic = {
    kind: 'topic',
    channelId: channelId(service.createChannel('plaza', [maren.userId])),
    topic: 'files',
  }
  device = await openDevice(service.baseUrl, maren)
  await device.until('sync-state', { accountId: device.accountId }, ({ status }) => status === 'synced')
})

afterEach(async () => {
  await device.close()
  await service.close()
})

/** Gives a file to the device in parts, as a window does. */
async function attach(name: string, bytes: Uint8Array, part = 200_000): Promise<string> {
  const { accountId } = device
  const { fileId } = await device.bridge.call('begin-file', {
    accountId,
    name,
    mediaType: 'image/png',
    size: bytes.length,
  })
  for (let from = 0; from < bytes.length; from += part) {
    await device.bridge.call('put-file-part', {
      accountId,
      fileId,
      bytes: Buffer.from(bytes.subarray(from, from + part)).toString('base64'),
    })
  }
  return fileId
}
const send = (content: string) =>
  device.bridge.call('act', {
    accountId: device.accountId,
    action: { name: 'send-message', conversation: topic, content, draftId: null },
  })
const untilFile = (fileId: string, isWanted: (file: OutgoingFile) => boolean) =>
  device.until('files', { accountId: device.accountId }, (all) =>
    all.some((file) => file.fileId === fileId && isWanted(file)),
  )
const onServer = () =>
  service.workspace.db.all<{ content: string }>('SELECT content FROM messages').map(({ content }) => content)
/** The bytes behind a link of a message. */
async function bytesOf(content: string | undefined): Promise<Buffer> {
  const path = /\((\/user_uploads\/[^)]+)\)/.exec(content ?? '')?.[1] ?? ''
  const response = await fetch(new URL(path, service.baseUrl), {
    headers: {
      authorization: `Basic ${Buffer.from(`${account.email}:${account.apiKey}`).toString('base64')}`,
    },
  })
  return Buffer.from(await response.arrayBuffer())
}
const picture = Uint8Array.from({ length: 450_001 }, (_, index) => (index * 31) % 251)

test('a message waits for its file, and links to what the server has', async () => {
  const fileId = await attach('tide "board" \r\n.png', picture)
  await send(`see [board](${linkToFile(fileId)}) and that`)
  await expect.poll(onServer).toHaveLength(1)
  const [content] = onServer()
  expect(content).toMatch(/^see \[board\]\(\/user_uploads\/.*\) and that$/)
  expect((await bytesOf(content)).equals(Buffer.from(picture))).toBe(true)
  await untilFile(fileId, ({ state, url }) => state === 'uploaded' && url !== null)
})

test('an edit waits for its files like a message, and the next edit goes on from what the server has', async () => {
  const { accountId } = device
  await send('see below')
  await expect.poll(onServer).toHaveLength(1)
  const { messages } = await device.until(
    'feed',
    { accountId, narrow: topic, around: 'newest', before: 10, after: 0 },
    (value) => value.messages.length === 1 && value.waiting.length === 0,
  )
  const messageId = messages[0]?.id ?? 0
  const edit = (content: string, previousContent: string) =>
    device.bridge.call('act', {
      accountId,
      action: { name: 'edit-message', messageId, content, previousContent },
    })
  await service.stop()
  const fileId = await attach('board.png', picture)
  const written = `see [board](${linkToFile(fileId)})`
  await edit(written, 'see below')
  await service.start()
  await expect.poll(onServer).toEqual([expect.stringMatching(/^see \[board\]\(\/user_uploads\/.*\)$/)])
  expect((await bytesOf(onServer()[0])).equals(Buffer.from(picture))).toBe(true)
  await device.until('outbox', { accountId }, (all) => all.length === 0)
  const { content } = await device.bridge.call('message-source', { accountId, messageId })
  expect(content).toBe(onServer()[0])
  await edit(`${written}, twice`, written)
  await expect.poll(onServer).toEqual([`${content}, twice`])
  await device.until('outbox', { accountId }, (all) => all.length === 0)
})

test('a file that came while the service was away outlives a restart and is sent once, before its message', async () => {
  await service.stop()
  const fileId = await attach('board.png', picture)
  await send(`[board](${linkToFile(fileId)})`)
  await untilFile(fileId, ({ state }) => state === 'waiting')
  await device.restart()
  await untilFile(fileId, ({ state, size }) => state === 'waiting' && size === picture.length)
  await service.start()
  await expect.poll(onServer).toHaveLength(1)
  expect((await bytesOf(onServer()[0])).equals(Buffer.from(picture))).toBe(true)
  await device.until('outbox', { accountId: device.accountId }, (all) => all.length === 0)
  expect(service.workspace.db.all('SELECT * FROM attachments')).toHaveLength(1)
})

test('a file that the service refuses says why, and its message can be taken back', async () => {
  Object.assign(service.workspace.configuration, { uploadQuotaMib: 0 })
  const fileId = await attach('board.png', picture)
  await untilFile(fileId, ({ state, reason }) => state === 'refused' && reason !== null)
  const { localId } = await send(`no room: [it](${linkToFile(fileId)})`)
  const { accountId } = device
  await device.until('outbox', { accountId }, (all) => all.some(({ state }) => state.state === 'refused'))
  const { draftId } = await device.bridge.call('take-back-message', { accountId, localId })
  expect((await device.ask('draft', { accountId, draftId }))?.content).toContain('no room')
  expect(onServer()).toEqual([])
})

test('a draft is on the server once no file of it is under way, though one was refused', async () => {
  const { accountId } = device
  const onServer = () =>
    service.workspace.db
      .all<{ content: string }>('SELECT content FROM drafts ORDER BY draft_id')
      .map(({ content }) => content)
  const keep = async (content: string) => {
    const draft = { recipient: topic, content }
    const { draftId } = await device.bridge.call('save-draft', { accountId, draftId: null, draft })
    await device.bridge.call('leave-draft', { accountId, draftId })
  }
  Object.assign(service.workspace.configuration, { uploadQuotaMib: 0 })
  const refused = linkToFile(await attach('board.png', picture))
  await device.until('files', { accountId }, ([first]) => first?.state === 'refused')
  Object.assign(service.workspace.configuration, { uploadQuotaMib: null })
  const facts = { accountId, name: 'chart.png', mediaType: 'image/png', size: picture.length }
  const { fileId } = await device.bridge.call('begin-file', facts)
  await keep(`[board](${refused}), [chart](${linkToFile(fileId)})`)
  await keep('without files')
  await expect.poll(onServer).toContain('without files')
  expect(onServer()).toEqual(['without files'])
  const bytes = Buffer.from(picture).toString('base64')
  await device.bridge.call('put-file-part', { accountId, fileId, bytes })
  await expect.poll(() => onServer().at(-1)).toMatch(/, \[chart\]\(\/user_uploads\/.*\)$/)
  expect(onServer()).toHaveLength(2)
})

test('a file that is larger than the server takes is refused before it is copied, offline too', async () => {
  const refused = { kind: 'rejected', message: 'It’s larger than this server accepts. The limit is 1 MB.' }
  const attachLarge = () => attach('large.bin', new Uint8Array(2 ** 20 + 1))
  await expect(attachLarge()).rejects.toMatchObject({ failure: refused })
  await service.stop()
  await expect(attachLarge()).rejects.toMatchObject({ failure: refused })
  expect(await device.ask('files', { accountId: device.accountId })).toEqual([])
})

test('a file that the server took when it was attached, and takes no more, is refused and not tried on and on', async () => {
  const { accountId } = device
  const restartWith = async (maxUploadMib: number) => {
    configuration.maxUploadMib = maxUploadMib
    await service.stop()
    await service.start()
  }
  const facts = { accountId, name: 'large.bin', mediaType: 'image/png', size: 800_000 + 2 ** 20 }
  const begin = () => device.bridge.call('begin-file', facts).catch(() => null)
  const put = (fileId: string, size: number) => {
    const bytes = Buffer.alloc(size).toString('base64')
    return device.bridge.call('put-file-part', { accountId, fileId, bytes })
  }
  await restartWith(2)
  await expect.poll(begin).not.toBeNull()
  const { fileId } = await device.bridge.call('begin-file', facts)
  for (let from = 0; from < 2 ** 20; from += 2 ** 18) await put(fileId, 2 ** 18)
  await restartWith(1)
  await expect.poll(begin).toBeNull()
  await put(fileId, 400_000)
  await put(fileId, 400_000)
  const files = await untilFile(fileId, ({ state }) => state === 'refused')
  // This device refused it: nothing was uploaded.
  const refused = files.find((file) => file.fileId === fileId)
  expect(refused?.reason).toBe('It’s larger than this server accepts. The limit is 1 MB.')
})

test('a file that was refused is uploaded anew when its message is sent again', async () => {
  const { accountId } = device
  // The quota is lifted meanwhile.
  Object.assign(service.workspace.configuration, { uploadQuotaMib: 0 })
  const fileId = await attach('board.png', picture)
  const { localId } = await send(`[board](${linkToFile(fileId)})`)
  await device.until('outbox', { accountId }, (all) => all.some(({ state }) => state.state === 'refused'))
  Object.assign(service.workspace.configuration, { uploadQuotaMib: null })
  await device.bridge.call('retry-outbox-item', { accountId, localId })
  await expect.poll(onServer).toHaveLength(1)
  expect((await bytesOf(onServer()[0])).equals(Buffer.from(picture))).toBe(true)
})

test('a file that was refused is uploaded anew when its scheduled message is changed', async () => {
  const { accountId } = device
  Object.assign(service.workspace.configuration, { uploadQuotaMib: 0 })
  const content = `[board](${linkToFile(await attach('board.png', picture))})`
  const sendAt = Date.now() + 3_600_000
  const { localId } = await device.bridge.call('act', {
    accountId,
    action: { name: 'schedule-message', conversation: topic, content, sendAt, draftId: null },
  })
  await device.until('outbox', { accountId }, (all) => all.some(({ state }) => state.state === 'refused'))
  Object.assign(service.workspace.configuration, { uploadQuotaMib: null })
  const change = { name: 'schedule-message', content: `The board: ${content}`, sendAt } as const
  await device.bridge.call('change-waiting', { accountId, localId, change })
  const [there] = await device.until(
    'scheduled',
    { accountId },
    ([first]) => first !== undefined && first.scheduledId !== null,
  )
  await device.until('outbox', { accountId }, (all) => all.length === 0)
  // A window that still shows it as waiting finds it on the server, where it has another text.
  expect(there?.content).not.toBe(change.content)
  expect(await device.bridge.call('change-waiting', { accountId, localId, change })).toEqual({
    isChanged: false,
    serverId: there?.scheduledId,
  })
  const { draftId } = await device.bridge.call('undo-send', { accountId, localId })
  expect((await device.ask('draft', { accountId, draftId }))?.content).toBe(change.content)
  expect(await device.ask('scheduled', { accountId })).toEqual([])
})

test('a file whose window is reloaded while it is copied is refused with the reason', async () => {
  const { accountId, engine } = device
  const [window, host] = portPair()
  let reload = () => {}
  const onClose = (listener: () => void) => {
    reload = listener
    return () => {}
  }
  serveBridge({ ...host, onClose }, engine, () => {})
  const other = connectBridge(window)
  const facts = { accountId, name: 'board.png', mediaType: 'image/png', size: picture.length }
  const { fileId } = await other.call('begin-file', facts)
  const bytes = Buffer.from(picture.subarray(0, 3)).toString('base64')
  await other.call('put-file-part', { accountId, fileId, bytes })
  const kept = await other.call('begin-file', { ...facts, size: 3 })
  await other.call('put-file-part', { accountId, fileId: kept.fileId, bytes })
  reload()
  const { localId } = await send(`[board](${linkToFile(fileId)})`)
  await send(`after it [kept](${linkToFile(kept.fileId)})`)
  const reason = 'Copying the file was interrupted. Remove it, and attach it again.'
  const refused = ([item]: readonly { state: { state: string; reason: string | null } }[]) =>
    item?.state.state === 'refused' && item.state.reason === reason
  await device.until('outbox', { accountId }, refused)
  await device.bridge.call('retry-outbox-item', { accountId, localId })
  await device.until('outbox', { accountId }, refused)
  await expect(device.bridge.call('put-file-part', { accountId, fileId, bytes })).rejects.toThrow()
  await device.bridge.call('discard-outbox-item', { accountId, localId })
  await expect.poll(onServer).toHaveLength(1)
})

test('a file is given up, and one that this device never had holds nobody up', async () => {
  await service.stop()
  const fileId = await attach('board.png', picture)
  const { accountId } = device
  await device.bridge.call('cancel-file', { accountId, fileId })
  expect(await device.ask('files', { accountId })).toEqual([])
  await service.start()
  await send(`[gone](${linkToFile(fileId)})`)
  await send('after it')
  await device.until('outbox', { accountId }, (all) => all.some(({ state }) => state.state === 'refused'))
  expect(service.workspace.db.all('SELECT * FROM attachments')).toEqual([])
})
