import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { realmValue } from '../../../src-server/workspace.ts'
import { sendFile } from '../../support/files.ts'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Fields,
  type Person,
} from '../../support/organization.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const org = organization()

const folder = temporaryFolder(afterAll)

const listed = async () => succeeded(await org.admin.get('/export/realm')).exports
const consents = async () => succeeded(await org.admin.get('/export/realm/consents')).export_consents
const start = (fields: Fields = {}) => org.admin.post('/export/realm', fields)
const finished = (id: number) =>
  vi.waitFor(async () => {
    const one = (await listed()).find((each: { id: number }) => each.id === id)
    expect(one.pending).toBe(false)
    return one
  }, 45_000)
const exported = async (export_type: 1 | 2) => finished(succeeded(await start({ export_type })).id)
const consent = (who: Person, isGiven: boolean) =>
  who.patch('/settings', { allow_private_data_export: isGiven })

/** Fetches an archive without credentials and unpacks it with the system's own program. */
async function unpacked(address: string): Promise<(path: string) => Buffer> {
  const response = await fetch(address)
  expect(response.status).toBe(200)
  const target = mkdtempSync(join(folder, 'archive-'))
  const archive = join(target, 'archive.tar.gz')
  writeFileSync(archive, Buffer.from(await response.arrayBuffer()))
  execFileSync('tar', ['-xzf', archive, '-C', target])
  return (path) => readFileSync(join(target, path))
}
const contentsIn = (read: (path: string) => Buffer, file = 'messages/000001.json') =>
  JSON.parse(read(file).toString()).map((one: { content: string }) => one.content) as string[]

test('EXPORT-01: Administrators get an event when an export starts and when it is complete, with the address of the archive.', async () => {
  const types = { event_types: ['realm_export'] }
  const [queue, others] = [await org.owner.listen(types), await org.moderator.listen(types)]
  const { id } = succeeded(await start())
  const done = await finished(id)
  expect(done).toEqual({
    id,
    acting_user_id: org.admin.id,
    export_time: org.clock.now() / 1000,
    deleted_timestamp: null,
    failed_timestamp: null,
    export_url: expect.stringMatching(/\/exports\/[\w-]{43}\/organization-\d{4}-\d\d-\d\d\.tar\.gz$/),
    pending: false,
    export_type: 1,
  })
  expect((await queue.events()).map((event) => event['exports'].at(-1))).toEqual([
    { ...done, pending: true, export_url: null },
    done,
  ])
  expect(await others.events()).toEqual([])
  const read = await unpacked(done.export_url)
  expect(read('README.txt').toString()).toContain('Only what is in public channels is here.')
  const response = await fetch(done.export_url, { headers: { range: 'bytes=0-1' } })
  expect([response.status, response.headers.get('cache-control')]).toEqual([206, 'private, no-store'])
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="organization-/)
})

test('EXPORT-02: A public export contains the content of public channels, with reactions and files, and nothing else.', async () => {
  const shown = await sendFile(org.service, org.member, '/user_uploads', [
    'a.txt',
    Buffer.from('shown'),
    'text/plain',
  ])
  const kept = await sendFile(org.service, org.member, '/user_uploads', [
    'b.txt',
    Buffer.from('kept'),
    'text/plain',
  ])
  const empty = await sendFile(org.service, org.member, '/user_uploads', [
    'c.txt',
    Buffer.from(''),
    'text/plain',
  ])
  const id = await org.member.send(
    org.plaza,
    'Export',
    `open [a](${succeeded(shown).url}) [c](${succeeded(empty).url})`,
  )
  await org.member.send(org.cellar, 'Export', 'closed')
  await org.member.send([org.other], '', `between two [b](${succeeded(kept).url})`)
  succeeded(await org.other.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
  // Consent opens nothing here.
  succeeded(await consent(org.member, true))
  const read = await unpacked((await exported(1)).export_url)
  const messages = JSON.parse(read('messages/000001.json').toString())
  const sent = messages.find((one: { id: number }) => one.id === id)
  expect(sent).toMatchObject({
    sender_id: org.member.id,
    channel_id: org.plaza,
    topic: 'Export',
    reactions: [{ user_id: org.other.id, emoji_name: 'tada' }],
    edit_history: [],
  })
  expect(JSON.stringify(messages)).not.toMatch(/closed|between two/)
  const channels = JSON.parse(read('channels.json').toString()).channels
  expect(channels.map((one: { name: string }) => one.name).sort()).toEqual(['lobby', 'plaza'])
  const attachments = JSON.parse(read('attachments.json').toString())
  expect(attachments.map((one: { name: string }) => one.name)).toEqual(['a.txt', 'c.txt'])
  const bytes = attachments.map((one: { storage_key: string }) => read(`files/${one.storage_key}`).toString())
  expect(bytes).toEqual(['shown', ''])
  expect(() => read(`personal/${org.member.id}.json`)).toThrow()
  succeeded(await consent(org.member, false))
})

test('EXPORT-03: A standard export also contains what consenting users may read and own, and no private data of other users.', async () => {
  const { member, other, owner, moderator } = org
  await owner.send(org.cellar, 'Export', 'in the cellar')
  await other.send([moderator], '', 'of neither')
  await member.send([other], '', 'of one')
  for (const who of [member, other])
    succeeded(await who.post('/saved_snippets', { title: 'mine', content: `snippet of ${who.name}` }))
  const before = contentsIn(await unpacked((await exported(2)).export_url))
  expect(before).not.toEqual(expect.arrayContaining(['in the cellar']))
  succeeded(await consent(member, true))
  const read = await unpacked((await exported(2)).export_url)
  const contents = contentsIn(read)
  expect(contents).toEqual(expect.arrayContaining(['in the cellar', 'of one']))
  expect(contents).not.toContain('of neither')
  expect(JSON.parse(read(`personal/${member.id}.json`).toString())).toMatchObject({
    snippets: [{ content: `snippet of ${member.name}` }],
  })
  expect(() => read(`personal/${other.id}.json`)).toThrow()
  expect(JSON.parse(read('channels.json').toString()).channels).toHaveLength(3)
  succeeded(await consent(member, false))
})

test('EXPORT-04: An archive contains no keys, passwords or secrets.', async () => {
  for (const who of [org.owner, org.member]) succeeded(await consent(who, true))
  // Addresses that are good for a minute are signed with a secret, which is made for the first of them.
  const file = await sendFile(org.service, org.member, '/user_uploads', [
    's.txt',
    Buffer.from('s'),
    'text/plain',
  ])
  succeeded(await org.member.get(succeeded(file).url))
  const read = await unpacked((await exported(2)).export_url)
  const files = [
    'organization.json',
    'people.json',
    `personal/${org.owner.id}.json`,
    `personal/${org.member.id}.json`,
  ]
  const all = files.map((path) => read(path).toString()).join()
  const rows = org.service.database.all<{ api_key: string; password_hash: string | null }>(
    'SELECT api_key, password_hash FROM users',
  )
  for (const { api_key, password_hash } of rows) {
    expect(all).not.toContain(api_key)
    if (password_hash !== null) expect(all).not.toContain(password_hash)
  }
  expect(all).toContain(org.member.name)
  const secret = realmValue(org.service.workspace.db, 'url_secret')
  expect(secret).toHaveLength(64)
  expect(all).not.toContain(secret)
  for (const who of [org.owner, org.member]) succeeded(await consent(who, false))
})

test('EXPORT-05: An export contains all messages, a thousand per file.', async () => {
  const { db } = org.service.workspace
  db.transaction(() => {
    for (let n = 0; n < 1_100; n++)
      db.run(
        `INSERT INTO messages (sender_id, channel_id, topic, topic_key, content, rendered, sent_at)
         VALUES (?, ?, 'Many', 'many', ?, '', 1)`,
        org.member.id,
        org.lobby,
        `number ${n}`,
      )
  })
  const read = await unpacked((await exported(1)).export_url)
  const contents = [...contentsIn(read), ...contentsIn(read, 'messages/000002.json')]
  expect(contents.filter((one) => one.startsWith('number '))).toEqual(
    Array.from({ length: 1_100 }, (_, n) => `number ${n}`),
  )
  db.run("DELETE FROM messages WHERE channel_id = ? AND topic_key = 'many'", org.lobby)
})

test('EXPORT-06: A deleted export stays in the list; its archive and address no longer exist.', async () => {
  const { id, export_url } = await exported(1)
  const queue = await org.admin.listen({ event_types: ['realm_export'] })
  await org.clock.advance(5_000)
  succeeded(await org.admin.delete(`/export/realm/${id}`))
  const deleted = { id, export_url: null, pending: false, deleted_timestamp: org.clock.now() / 1000 }
  expect((await listed()).at(-1)).toMatchObject(deleted)
  expect((await queue.events())[0]?.['exports'].at(-1)).toMatchObject(deleted)
  expect((await fetch(export_url)).status).toBe(404)
  refused(await org.admin.delete(`/export/realm/${id}`))
  refused(await org.admin.delete('/export/realm/99999'), 'BAD_REQUEST', 404)
  expect((await fetch(export_url.replace(/exports\/[^/]+/, 'exports/guessed'))).status).toBe(404)
})

test('EXPORT-07: Only one export can run at a time, and a running export cannot be deleted.', async () => {
  const { id } = succeeded(await start())
  refused(await start())
  refused(await org.admin.delete(`/export/realm/${id}`))
  await finished(id)
  await finished(succeeded(await start()).id)
})

test('EXPORT-08: A failed export is reported as failed and cannot be deleted, and a later export can succeed.', async () => {
  const place = join(dirname(org.service.workspace.configuration.filesDirectory), 'exports')
  rmSync(place, { recursive: true, force: true })
  writeFileSync(place, 'in the way')
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const failed = await exported(1)
  expect(log.mock.calls.join()).toContain('An export failed')
  log.mockRestore()
  expect(failed).toMatchObject({ failed_timestamp: org.clock.now() / 1000, export_url: null })
  refused(await org.admin.delete(`/export/realm/${failed.id}`))
  rmSync(place)
  mkdirSync(place)
  expect((await exported(1)).failed_timestamp).toBeNull()
})

test('EXPORT-09: An export interrupted by a shutdown of the service is reported as failed.', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { id } = succeeded(await start())
  await org.service.restartAt(420)
  log.mockRestore()
  expect((await listed()).find((one: { id: number }) => one.id === id)).toMatchObject({
    pending: false,
    failed_timestamp: expect.any(Number),
  })
  // Killed in the middle it could not write that down.
  org.service.workspace.db.run('UPDATE realm_exports SET failed_ms = NULL WHERE export_id = ?', id)
  await org.service.restartAt(420)
  expect((await finished(id)).failed_timestamp).not.toBeNull()
})

test('EXPORT-10: Administrators see who consents, and get an event when a user changes consent, joins or is reactivated.', async () => {
  const types = { event_types: ['realm_export_consent'] }
  const [queue, others] = [await org.admin.listen(types), await org.moderator.listen(types)]
  succeeded(await consent(org.guest, true))
  expect(await consents()).toContainEqual({ user_id: org.guest.id, consented: true })
  expect(await consents()).toContainEqual({ user_id: org.other.id, consented: false })
  expect(await consents()).not.toContainEqual(expect.objectContaining({ user_id: org.bot.id }))
  const { invite_link } = succeeded(await org.owner.post('/invites/multiuse'))
  const name = fresh('Newcomer')
  const fields = { full_name: name, email: `${name.replace(' ', '-')}@example.org`, password: 'tide tables' }
  await fetch(invite_link, { method: 'POST', body: new URLSearchParams(fields) })
  const newcomer = (await consents()).at(-1).user_id
  succeeded(await org.owner.delete(`/users/${org.guest.id}`))
  expect(await consents()).not.toContainEqual(expect.objectContaining({ user_id: org.guest.id }))
  succeeded(await org.owner.post(`/users/${org.guest.id}/reactivate`))
  const told = { type: 'realm_export_consent' }
  expect(await queue.events()).toEqual([
    { ...told, user_id: org.guest.id, consented: true },
    { ...told, user_id: newcomer, consented: false },
    { ...told, user_id: org.guest.id, consented: true },
  ])
  expect(await others.events()).toEqual([])
})
