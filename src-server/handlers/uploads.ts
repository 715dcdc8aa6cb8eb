import { rm } from 'node:fs/promises'
import type { Handlers } from '../../src-shared/api/index.ts'
import {
  apiAttachment,
  attachmentAt,
  fileOf,
  mayReadFile,
  pathId,
  spaceUsed,
  storeFile,
  type AttachmentRow,
} from '../files/attachments.ts'
import { badRequest } from '../service-error.ts'
import { temporaryUrl } from '../files/temporary-urls.ts'
import type { HandlerContext } from './context.ts'

export const uploads: Pick<
  Handlers<HandlerContext>,
  'uploadFile' | 'getTemporaryUrl' | 'getAttachments' | 'deleteAttachment'
> = {
  uploadFile: async (_input, { workspace, user, file }) => {
    if (file === null) throw badRequest('You must specify a file to upload')
    const row = await storeFile(workspace, user, file)
    const url = `/user_uploads/${pathId(row)}`
    return { url, uri: url, filename: row.name }
  },
  getTemporaryUrl: ({ realm_id, filename }, { workspace, user }) => {
    const row = attachmentAt(workspace, `${realm_id}/${filename}`)
    if (row === undefined || !mayReadFile(workspace, user, row))
      throw badRequest('There is no such file, or you may not read it.')
    return { url: temporaryUrl(workspace, row) }
  },
  getAttachments: (_input, { workspace, user }) => ({
    attachments: workspace.db
      .all<AttachmentRow>('SELECT * FROM attachments WHERE user_id = ? ORDER BY attachment_id', user.user_id)
      .map((row) => apiAttachment(workspace, row)),
    upload_space_used: spaceUsed(workspace),
  }),
  deleteAttachment: async ({ attachment_id }, { workspace, user }) => {
    const { db } = workspace
    const row = db.get<AttachmentRow>(
      'SELECT * FROM attachments WHERE attachment_id = ? AND user_id = ?',
      attachment_id,
      user.user_id,
    )
    if (row === undefined) throw badRequest('Invalid attachment')
    db.run('DELETE FROM attachments WHERE attachment_id = ?', attachment_id)
    workspace.publish([user.user_id], {
      type: 'attachment',
      op: 'remove',
      attachment: { id: attachment_id },
      upload_space_used: spaceUsed(workspace),
    })
    await rm(fileOf(workspace, row), { force: true })
    await workspace.thumbnails.forget(row.storage_key)
    return {}
  },
}
