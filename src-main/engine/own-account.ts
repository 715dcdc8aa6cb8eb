import { minuteMs } from '../../src-shared/durations.ts'
import { profileFields } from '../../src-shared/api/profile-fields.ts'
import { settings } from '../../src-shared/api/settings.ts'
import type { Connection } from '../api/connection.ts'

// What a person changes of their own account and only the server can do. Events tell the result.

/** How long an upload of a picture may take, in milliseconds. */
const uploadMs = 2 * minuteMs

/** Makes a picture one's own (POST /users/me/avatar). Rejects with a FailureError. */
export async function setOwnPicture(
  connection: Connection,
  {
    name,
    mediaType,
    bytes,
  }: { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array },
): Promise<void> {
  const file = {
    name,
    mediaType,
    size: bytes.length,
    async *read() {
      yield bytes
    },
    onSent: () => {},
  }
  await connection.call(profileFields.setAvatar, {}, { file, timeoutMs: uploadMs, setAside: () => {} })
}

/** Goes back to the picture that the server makes up (DELETE /users/me/avatar). Rejects with a FailureError. */
export async function removeOwnPicture(connection: Connection): Promise<void> {
  await connection.call(profileFields.removeAvatar, {}, { setAside: () => {} })
}

/** Has the server mail a link to a new address (PATCH /settings). Rejects with a FailureError. */
export async function changeOwnEmail(connection: Connection, email: string): Promise<void> {
  await connection.call(settings.updateSettings, { email })
}

/** Changes one's own password (PATCH /settings); the key stays. Rejects with a FailureError. */
export async function changeOwnPassword(
  connection: Connection,
  before: string,
  after: string,
): Promise<void> {
  await connection.call(settings.updateSettings, { old_password: before, new_password: after })
}
