import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** A file that somebody uploaded. Times are UNIX milliseconds. */
const apiAttachment = z.looseObject({
  id: z.int(),
  name: z.string(),
  /** The path below `/user_uploads/`. */
  path_id: z.string(),
  /** Bytes. */
  size: z.int(),
  create_time: z.number(),
  /** The messages that link to it. */
  messages: z.array(z.looseObject({ id: z.int(), date_sent: z.number() })),
})
export type ApiAttachment = z.output<typeof apiAttachment>

const upload_space_used = z.int()

export const attachmentEvent = z.discriminatedUnion('op', [
  z.looseObject({ op: z.literal('add'), attachment: apiAttachment, upload_space_used }),
  z.looseObject({ op: z.literal('update'), attachment: apiAttachment, upload_space_used }),
  z.looseObject({ op: z.literal('remove'), attachment: z.looseObject({ id: z.int() }), upload_space_used }),
])

/** Files for messages. Their bytes are served outside the API, below the server's root. */
export const uploads = {
  uploadFile: endpoint({
    method: 'POST',
    path: '/user_uploads',
    takesFile: true,
    input: z.object({}),
    output: z.looseObject({
      /** The path that a message links to, relative to the server's root. Older servers have only `uri`. */
      url: z.string().optional(),
      uri: z.string().optional(),
      filename: z.string().optional(),
    }),
  }),
  getTemporaryUrl: endpoint({
    method: 'GET',
    path: '/user_uploads/{realm_id}/{filename*}',
    input: z.object({ realm_id: z.int(), filename: z.string() }),
    output: z.looseObject({
      /** Allows downloading the file without credentials for a minute. */
      url: z.string(),
    }),
  }),
  getAttachments: endpoint({
    method: 'GET',
    path: '/attachments',
    input: z.object({}),
    output: z.looseObject({ attachments: z.array(apiAttachment), upload_space_used }),
  }),
  deleteAttachment: endpoint({
    method: 'DELETE',
    path: '/attachments/{attachment_id}',
    input: z.object({ attachment_id: z.int() }),
    output: z.looseObject({}),
  }),
}
