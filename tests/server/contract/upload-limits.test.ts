import { expect, test } from 'vitest'
import { organization } from '../../support/organization.ts'

const mebibyte = 1024 * 1024
const org = organization({ configuration: { maxUploadMib: 1, uploadQuotaMib: 2 } })

async function upload(bytes: number): Promise<{ status: number; body: Record<string, unknown> }> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'zeros.bin')
  const response = await fetch(`${org.service.baseUrl}/user_uploads`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Basic ${btoa(`${org.member.email}:${org.member.row.api_key}`)}` },
  })
  // The body of this service is always an envelope.
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('UPLOAD-20: The register response holds the limits.', async () => {
  const { state } = await org.member.register({ fetch_event_types: ['realm'] })
  expect(state).toMatchObject({ max_file_upload_size_mib: 1, realm_upload_quota_mib: 2 })
})

test('UPLOAD-21: A file above the limit is rejected; a file of exactly that size is accepted.', async () => {
  expect(await upload(mebibyte + 1)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  expect(await upload(mebibyte)).toMatchObject({ status: 200 })
})

test('UPLOAD-22: Beyond the quota of the organization, the error is REALM_UPLOAD_QUOTA until space is freed.', async () => {
  expect(await upload(mebibyte)).toMatchObject({ status: 200 })
  expect(await upload(1)).toMatchObject({ status: 400, body: { code: 'REALM_UPLOAD_QUOTA' } })
  const { attachments } = (await org.member.get('/attachments')).body
  await org.member.delete(`/attachments/${attachments[0].id}`)
  expect(await upload(1)).toMatchObject({ status: 200 })
})
