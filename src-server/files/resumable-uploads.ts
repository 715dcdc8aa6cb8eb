import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hourMs, dayMs } from '../../src-shared/durations.ts'
import { authenticate } from '../people/accounts.ts'
import {
  addAttachment,
  assertRoomFor,
  fileOf,
  newStorageKey,
  pathId,
  spaceUsed,
  type AttachmentRow,
} from './attachments.ts'
import { botTypes } from '../people/bots.ts'
import type { RateLimits } from '../rate-limits.ts'
import { badRequest, notFound, ServiceError } from '../service-error.ts'
import type { UserRow, Workspace } from '../workspace.ts'

interface UploadRow {
  readonly upload_id: string
  readonly user_id: number
  readonly name: string
  readonly claimed_type: string
  readonly size: number
  /** When its last chunk arrived. */
  readonly touched_ms: number
  readonly attachment_id: number | null
}

const protocol = '1.0.0'
const path = '/api/v1/tus'
const pieceType = 'application/offset+octet-stream'
const keptMs = dayMs
const sweepMs = hourMs
/**
 * How many unfinished files one person may have, so that nobody can fill the disk with files that never complete.
 */
const mostUnfinished = 20
/** Enough bytes to recognize a file's type. */
const headLength = 64 * 1024

/**
 * Uploads that resume where they were interrupted (tus 1.0.0 with creation and termination). Bytes that arrived count,
 * whatever becomes of the connection or the service. The answer to the last chunk is the file's address, however often
 * the client asks for it.
 * Requests count towards the API's rate limit. An unfinished upload reserves its announced size in the organization's
 * quota; the service discards it if nobody continues it for a day.
 */
export function addResumableUploads(server: FastifyInstance, workspace: Workspace, limits: RateLimits): void {
  /** One chunk at a time: two would overwrite each other. */
  const busy = new Set<string>()
  /** The sender, after the request was counted as one of theirs. */
  const whoAsks = (request: FastifyRequest, reply: FastifyReply): UserRow => {
    const user = authenticate(workspace.db, request.headers.authorization)
    if (user === undefined || user.bot_type === botTypes.incomingWebhook)
      throw new ServiceError('UNAUTHORIZED', 'Invalid API key', {}, 401)
    limits.spend(String(user.user_id), reply)
    return user
  }
  const ownUpload = (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply): UploadRow => {
    const row = workspace.db.get<UploadRow>(
      'SELECT * FROM resumable_uploads WHERE upload_id = ? AND user_id = ?',
      request.params.id,
      whoAsks(request, reply).user_id,
    )
    if (row === undefined) throw notFound('There is no such upload: begin it anew.')
    return row
  }
  const assertIdle = (upload: UploadRow): void => {
    if (busy.has(upload.upload_id))
      throw new ServiceError('BAD_REQUEST', 'Another piece of this file is still on its way.', {}, 423)
  }
  server.addContentTypeParser(pieceType, (_request, payload, done) => done(null, payload))

  server.options(path, (_request, reply) =>
    tus(reply)
      .header('tus-version', protocol)
      .header('tus-extension', 'creation,termination')
      .header('tus-max-size', maxSize(workspace))
      .code(204)
      .send(),
  )
  server.post(path, async (request, reply) => {
    const user = whoAsks(request, reply)
    const size = wholeNumber(request.headers['upload-length'])
    if (size === null) throw badRequest('Upload-Length says how large the file is.')
    if (size > maxSize(workspace))
      throw new ServiceError('BAD_REQUEST', 'The file is larger than this server takes.', {}, 413)
    assertMayBegin(workspace, user, size)
    const metadata = metadataOf(request.headers['upload-metadata'])
    const id = randomBytes(18).toString('base64url')
    // Reserved before its file exists, so that uploads starting meanwhile count it; the first chunk starts at zero.
    workspace.db.run(
      'INSERT INTO resumable_uploads VALUES (?, ?, ?, ?, ?, ?, NULL)',
      id,
      user.user_id,
      metadata.get('filename') ?? metadata.get('name') ?? 'file',
      metadata.get('filetype') ?? metadata.get('type') ?? '',
      size,
      workspace.clock.now(),
    )
    await mkdir(dirname(partial(workspace, id)), { recursive: true })
    await (await open(partial(workspace, id), 'a')).close()
    return tus(reply).code(201).header('location', `${path}/${id}`).header('upload-offset', 0).send()
  })
  server.head<{ Params: { id: string } }>(`${path}/:id`, async (request, reply) => {
    const upload = ownUpload(request, reply)
    return tus(reply)
      .header('upload-offset', await offsetOf(workspace, upload))
      .header('upload-length', upload.size)
      .header('cache-control', 'no-store')
      .code(200)
      .send()
  })
  server.patch<{ Params: { id: string } }>(`${path}/:id`, async (request, reply) => {
    const upload = ownUpload(request, reply)
    if (request.headers['content-type'] !== pieceType)
      throw new ServiceError('BAD_REQUEST', `A piece has the type ${pieceType}.`, {}, 415)
    assertIdle(upload)
    busy.add(upload.upload_id)
    try {
      const before = await offsetOf(workspace, upload)
      if (wholeNumber(request.headers['upload-offset']) !== before)
        throw new ServiceError('BAD_REQUEST', `The next piece begins at ${before}.`, {}, 409)
      // The parser of this content type passes the stream on.
      const offset = await append(workspace, upload, before, request.body as AsyncIterable<Buffer>)
      workspace.db.run(
        'UPDATE resumable_uploads SET touched_ms = ? WHERE upload_id = ?',
        workspace.clock.now(),
        upload.upload_id,
      )
      tus(reply).header('upload-offset', offset)
      if (offset < upload.size) return reply.code(204).send()
      const row =
        upload.attachment_id === null ? await finish(workspace, upload) : attachmentOf(workspace, upload)
      return reply.code(200).send({ url: `/user_uploads/${pathId(row)}`, filename: row.name })
    } finally {
      busy.delete(upload.upload_id)
    }
  })
  server.delete<{ Params: { id: string } }>(`${path}/:id`, async (request, reply) => {
    const upload = ownUpload(request, reply)
    assertIdle(upload)
    await forget(workspace, upload.upload_id)
    return tus(reply).code(204).send()
  })
  sweep(server, workspace, busy)
}

/** Discards abandoned uploads at the start and every hour, until the service closes. */
function sweep(server: FastifyInstance, workspace: Workspace, busy: ReadonlySet<string>): void {
  const closing = new AbortController()
  let underway = Promise.resolve()
  const again = async () => {
    while (!closing.signal.aborted) {
      await forgetOld(workspace, busy).catch((error: unknown) => workspace.log(String(error)))
      await workspace.clock.wait(sweepMs, closing.signal)
    }
  }
  server.addHook('onReady', (done) => {
    underway = again()
    done()
  })
  server.addHook('onClose', async () => {
    closing.abort()
    await underway
  })
}

const tus = (reply: FastifyReply) => reply.header('tus-resumable', protocol)

const maxSize = ({ configuration }: Workspace) => Math.floor(configuration.maxUploadMib * 1024 * 1024)

const partial = (workspace: Workspace, id: string) =>
  join(workspace.configuration.filesDirectory, 'unfinished', `${id}.part`)

/** Refuses a file if its sender has too many unfinished uploads, or if all uploads together leave no room for it. */
function assertMayBegin(workspace: Workspace, user: UserRow, size: number): void {
  const { db } = workspace
  assertRoomFor(workspace, size)
  const own = db.all(
    'SELECT 1 FROM resumable_uploads WHERE user_id = ? AND attachment_id IS NULL',
    user.user_id,
  ).length
  if (own >= mostUnfinished)
    throw badRequest(
      `You have ${mostUnfinished} files on their way already. Finish or give up one of them, then try again.`,
    )
}

/** The received bytes are those on disk, also after a crash. */
async function offsetOf(workspace: Workspace, upload: UploadRow): Promise<number> {
  if (upload.attachment_id !== null) return upload.size
  return stat(partial(workspace, upload.upload_id)).then(
    (found) => found.size,
    () => 0,
  )
}

/** Appends a chunk to what is there; returns the new end, even if the chunk was cut off. */
async function append(
  workspace: Workspace,
  upload: UploadRow,
  from: number,
  piece: AsyncIterable<Buffer>,
): Promise<number> {
  if (upload.attachment_id !== null) return upload.size
  const file = await open(partial(workspace, upload.upload_id), 'r+')
  let offset = from
  try {
    for await (const chunk of piece) {
      if (offset + chunk.length > upload.size)
        throw new ServiceError('BAD_REQUEST', 'There is more than was announced.', {}, 413)
      // Writes all of it: a single write may write less when the disk fills up.
      for (let written = 0; written < chunk.length;) {
        const { bytesWritten } = await file.write(chunk, written, chunk.length - written, offset)
        written += bytesWritten
        offset += bytesWritten
      }
    }
  } catch (error) {
    // Interruptions are what resumable uploads are for.
    if (!(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) throw error
  } finally {
    await file.sync()
    await file.close()
  }
  return offset
}

async function finish(workspace: Workspace, upload: UploadRow): Promise<AttachmentRow> {
  const { db } = workspace
  // Its room was reserved, but the quota may have changed since.
  assertRoomFor(workspace, upload.size, spaceUsed)
  const key = newStorageKey()
  const target = fileOf(workspace, { storage_key: key })
  await mkdir(dirname(target), { recursive: true })
  await rename(partial(workspace, upload.upload_id), target)
  const file = await open(target, 'r')
  const head = Buffer.alloc(Math.min(headLength, upload.size))
  await file.read(head, 0, head.length, 0)
  await file.close()
  const user = db.get<UserRow>('SELECT * FROM users WHERE user_id = ?', upload.user_id)
  if (user === undefined) throw notFound('There is no such upload.')
  const row = addAttachment(workspace, user, {
    key,
    name: upload.name,
    claimedType: upload.claimed_type,
    size: upload.size,
    head,
  })
  db.run(
    'UPDATE resumable_uploads SET attachment_id = ? WHERE upload_id = ?',
    row.attachment_id,
    upload.upload_id,
  )
  return row
}

function attachmentOf({ db }: Workspace, upload: UploadRow): AttachmentRow {
  const row = db.get<AttachmentRow>('SELECT * FROM attachments WHERE attachment_id = ?', upload.attachment_id)
  if (row === undefined) throw notFound('The file was deleted.')
  return row
}

/** Uploads that nobody continued for a day, and bytes that belong to no upload. */
async function forgetOld(workspace: Workspace, busy: ReadonlySet<string>): Promise<void> {
  const old = workspace.db.all<UploadRow>(
    'SELECT * FROM resumable_uploads WHERE touched_ms < ?',
    workspace.clock.now() - keptMs,
  )
  for (const { upload_id } of old) if (!busy.has(upload_id)) await forget(workspace, upload_id)
  const lying = await readdir(dirname(partial(workspace, ''))).catch(() => [])
  for (const name of lying) {
    const id = name.replace(/\.part$/, '')
    const isKnown = workspace.db.get('SELECT 1 FROM resumable_uploads WHERE upload_id = ?', id) !== undefined
    if (!isKnown) await rm(partial(workspace, id), { force: true })
  }
}

async function forget(workspace: Workspace, id: string): Promise<void> {
  workspace.db.run('DELETE FROM resumable_uploads WHERE upload_id = ?', id)
  await rm(partial(workspace, id), { force: true })
}

function wholeNumber(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null
}

/** Names and values of the header, which encodes the values as base64. */
function metadataOf(header: string | string[] | undefined): Map<string, string> {
  const pairs = String(header ?? '')
    .split(',')
    .map((pair) => pair.trim().split(' '))
  return new Map(
    pairs.map(([name = '', value = '']): [string, string] => [name, Buffer.from(value, 'base64').toString()]),
  )
}
