import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { attachmentAt, type AttachmentRow } from './attachments.ts'
import { realmValue, type Workspace } from '../workspace.ts'

const validSeconds = 60

/** An address below the root that downloads a file without credentials, for a minute. */
export function temporaryUrl(workspace: Workspace, row: AttachmentRow): string {
  const promise = `${row.storage_key}/${workspace.now() + validSeconds}`
  const token = `${Buffer.from(promise).toString('base64url')}.${signatureOf(workspace, promise)}`
  return `/user_uploads/temporary/${token}/${encodeURIComponent(row.path_name)}`
}

/** The file that an address's token stands for; undefined if the token has expired or never existed. */
export function fileOfToken(workspace: Workspace, token: string): AttachmentRow | undefined {
  const [packed = '', signature = ''] = token.split('.')
  const promise = Buffer.from(packed, 'base64url').toString()
  const given = Buffer.from(signature)
  const wanted = Buffer.from(signatureOf(workspace, promise))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
  const expires = Number(promise.slice(promise.lastIndexOf('/') + 1))
  return workspace.now() <= expires ? attachmentAt(workspace, promise) : undefined
}

const signatureOf = (workspace: Workspace, promise: string) =>
  createHmac('sha256', secretOf(workspace)).update(promise).digest('base64url')

/** Created once, so that addresses survive a restart. */
function secretOf({ db }: Workspace): string {
  db.run(`INSERT OR IGNORE INTO realm VALUES ('url_secret', ?)`, randomBytes(32).toString('hex'))
  return realmValue(db, 'url_secret')
}
