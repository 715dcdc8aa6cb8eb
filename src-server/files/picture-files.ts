import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { daySeconds } from '../../src-shared/durations.ts'
import type { FormFile } from './forms.ts'
import { imageSize } from './image-size.ts'
import { badRequest, notFound, ServiceError } from '../service-error.ts'
import type { ThumbnailFormat } from './thumbnail-formats.ts'
import { writeWhole } from './whole-file.ts'
import type { Workspace } from '../workspace.ts'

/** The largest size of a profile picture or an emoji. */
export const longestPictureMib = 5
const folder = 'pictures'

/** Stores a picture that everybody may see. Throws BAD_IMAGE if it is not a picture. */
export async function storePicture(
  workspace: Workspace,
  file: FormFile,
): Promise<{ name: string; contentType: string; isAnimated: boolean }> {
  if (file.bytes.length > longestPictureMib * 1024 * 1024)
    throw badRequest(`Uploaded file is larger than the allowed limit of ${longestPictureMib} MiB`)
  const image = imageSize(file.bytes)
  if (image === undefined)
    throw new ServiceError('BAD_IMAGE', 'Could not decode image; did you upload an image file?')
  const name = `${randomBytes(18).toString('base64url')}.${image.contentType.slice('image/'.length)}`
  await writeWhole(pathOf(workspace, name), file.bytes)
  return { name, contentType: image.contentType, isAnimated: image.isAnimated }
}

const pathOf = (workspace: Workspace, name: string) =>
  join(workspace.configuration.filesDirectory, folder, name)

/** Answers with a picture that `storePicture` stored, scaled down if possible. */
export async function sendPicture(
  workspace: Workspace,
  reply: FastifyReply,
  picture: { name: string; contentType: string },
  format: ThumbnailFormat,
): Promise<FastifyReply> {
  const whole = pathOf(workspace, picture.name)
  const smaller = await workspace.thumbnails.of(join(folder, picture.name), whole, format)
  const path = smaller ?? whole
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  )
  if (size === null) throw notFound('The picture is gone.')
  return reply
    .header('content-type', smaller === null ? picture.contentType : `image/${format.format}`)
    .header('content-length', size)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cache-control', `private, max-age=${daySeconds}`)
    .send(createReadStream(path))
}
