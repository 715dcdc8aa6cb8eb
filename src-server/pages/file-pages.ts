import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { rangeIn, wantedRange } from '../../src-shared/byte-range.ts'
import { authenticate } from '../people/accounts.ts'
import {
  attachmentAt,
  fileOf,
  isShownInPlace,
  mayAnybodyRead,
  mayReadFile,
  type AttachmentRow,
} from '../files/attachments.ts'
import type { EmojiRow } from '../markdown/custom-emoji.ts'
import { archiveOf, exportOf, fileName } from '../exports/exports.ts'
import { sendPicture } from '../files/picture-files.ts'
import { picture } from '../files/pictures.ts'
import { notFound, ServiceError } from '../service-error.ts'
import { fileOfToken } from '../files/temporary-urls.ts'
import {
  emojiFormat,
  faceFormat,
  largeFaceFormat,
  stillEmojiFormat,
  thumbnailFormats,
} from '../files/thumbnail-formats.ts'
import { allowsSpectators, userById, type Workspace } from '../workspace.ts'

/**
 * Serves uploaded files below the root: with credentials, through a temporary address, or publicly if a web-public
 * channel links to them. `thumbnail/…/FORMAT` serves a picture in one of the sizes of `thumbnailFormats`, or the
 * original if it cannot be scaled.
 */
export function addFiles(server: FastifyInstance, workspace: Workspace): void {
  server.get<{ Params: { token: string } }>('/user_uploads/temporary/:token/*', (request, reply) => {
    const row = fileOfToken(workspace, request.params.token)
    if (row === undefined) throw notFound('This address has expired, or the file is gone.')
    return send(workspace, row, request, reply)
  })
  server.get<{ Params: { '*': string } }>('/user_uploads/thumbnail/*', async (request, reply) => {
    const row = readable(workspace, request)
    if (row.width === null) throw notFound('This file is no picture.')
    const name = request.params['*'].split('/').at(-1)
    const format = thumbnailFormats.find((one) => one.name === name)
    if (format === undefined) throw notFound('Pictures are not to be had in this size.')
    const path = await workspace.thumbnails.of(row.storage_key, fileOf(workspace, row), format)
    if (path === null) return send(workspace, row, request, reply)
    return sendFile(request, reply, {
      path,
      contentType: `image/${format.format}`,
      disposition: `inline; filename*=UTF-8''${encodeRfc5987(row.name)}.${format.format}`,
      tag: `"${row.storage_key}/${format.name}"`,
    })
  })
  for (const [path, format] of [
    ['/user_avatars/:realm/emoji/images/:name', emojiFormat],
    ['/user_avatars/:realm/emoji/images/still/:name', stillEmojiFormat],
  ] as const) {
    server.get<{ Params: { name: string } }>(path, (request, reply) => {
      const row = workspace.db.get<EmojiRow>(
        'SELECT * FROM realm_emoji WHERE file_name = ?',
        request.params.name,
      )
      if (row === undefined) throw notFound('There is no such emoji.')
      const { file_name: name, content_type: contentType } = row
      return sendPicture(workspace, reply, { name, contentType }, format)
    })
  }
  for (const [path, format] of [
    ['/avatar/:id', faceFormat],
    ['/avatar/:id/medium', largeFaceFormat],
  ] as const) {
    server.get<{ Params: { id: string } }>(path, (request, reply) => {
      const user = userById(workspace.db, Number(request.params.id))
      if (user?.avatar_file == null || user.avatar_type === null) return picture(request, reply)
      const { avatar_file: name, avatar_type: contentType } = user
      return sendPicture(workspace, reply, { name, contentType }, format)
    })
  }
  // Everyone who has the address may download the archive: only administrators are told it, and it cannot be guessed.
  server.get<{ Params: { secret: string } }>('/exports/:secret/:name', (request, reply) => {
    const row = exportOf(workspace, request.params.secret)
    if (row === undefined) throw notFound('There is no such archive, or it was deleted.')
    return sendFile(request, reply, {
      path: archiveOf(workspace, row),
      contentType: 'application/gzip',
      disposition: `attachment; filename="${fileName(row)}"`,
      tag: `"${row.export_id}"`,
      isPassing: true,
    })
  })
  server.get('/user_uploads/download/*', (request, reply) =>
    send(workspace, readable(workspace, request), request, reply, 'attachment'),
  )
  server.get('/user_uploads/*', (request, reply) =>
    send(workspace, readable(workspace, request), request, reply),
  )
}

function readable(workspace: Workspace, request: FastifyRequest): AttachmentRow {
  const { authorization } = request.headers
  const viewer = authorization === undefined ? undefined : authenticate(workspace.db, authorization)
  if (authorization !== undefined && viewer === undefined)
    throw new ServiceError('UNAUTHORIZED', 'Invalid API key', {}, 401)
  // The routes end in a wildcard.
  const row = attachmentAt(workspace, (request.params as { '*': string })['*'])
  const isOpen = row !== undefined && allowsSpectators(workspace.db) && mayAnybodyRead(workspace, row)
  if (viewer === undefined && !isOpen)
    throw new ServiceError(
      'UNAUTHORIZED',
      'Not logged in: API authentication or user session required',
      {},
      401,
    )
  if (row === undefined) throw notFound('There is no such file.')
  if (viewer !== undefined && !isOpen && !mayReadFile(workspace, viewer, row))
    throw new ServiceError('BAD_REQUEST', 'You are not authorized to view this file.', {}, 403)
  return row
}

async function send(
  workspace: Workspace,
  row: AttachmentRow,
  request: FastifyRequest,
  reply: FastifyReply,
  disposition: 'inline' | 'attachment' = isShownInPlace(row) ? 'inline' : 'attachment',
): Promise<FastifyReply> {
  const isText = row.content_type === 'text/plain'
  return sendFile(request, reply, {
    path: fileOf(workspace, row),
    contentType: isText ? 'text/plain; charset=utf-8' : row.content_type,
    disposition: `${disposition}; filename*=UTF-8''${encodeRfc5987(row.name)}`,
    tag: `"${row.storage_key}"`,
  })
}

/** A file that never changes, with its headers. */
interface SentFile {
  readonly path: string
  readonly contentType: string
  readonly disposition: string
  readonly tag: string
  /** Whether clients must revalidate each time because access may have ended. */
  readonly isPassing?: boolean
}

/** Answers with a file, or with the requested range of it. */
async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, contentType, disposition, tag, isPassing = false }: SentFile,
): Promise<FastifyReply> {
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  )
  if (size === null) throw notFound('The file is gone.')
  reply
    .header('content-type', contentType)
    .header('content-disposition', disposition)
    // Whatever the file contains, nothing in it runs.
    .header('x-content-type-options', 'nosniff')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; sandbox",
    )
    .header('cross-origin-resource-policy', 'same-origin')
    .header('cache-control', isPassing ? 'private, no-store' : 'private, max-age=31536000, immutable')
    .header('etag', tag)
    .header('accept-ranges', 'bytes')
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  const ifRange = request.headers['if-range']
  // A client that has a range of another version gets the whole file.
  const wanted = ifRange === undefined || ifRange === tag ? wantedRange(request.headers.range) : null
  const range = wanted === null ? null : rangeIn(wanted, size)
  if (range === 'beyond') return reply.code(416).header('content-range', `bytes */${size}`).send()
  const { from, to } = range ?? { from: 0, to: size - 1 }
  if (range !== null) reply.code(206).header('content-range', `bytes ${from}-${to}/${size}`)
  reply.header('content-length', size === 0 ? 0 : to - from + 1)
  return size === 0 ? reply.send('') : reply.send(createReadStream(path, { start: from, end: to }))
}

const encodeRfc5987 = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
