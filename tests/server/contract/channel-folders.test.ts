import { expect, test } from 'vitest'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Fields,
  type Person,
} from '../../support/organization.ts'

// Folders for channels (specification, PATCH /channel_folders/{channel_folder_id}).

const org = organization()

const made = async (fields: Fields = {}): Promise<number> =>
  succeeded(
    await org.admin.post('/channel_folders/create', { name: fresh('Folder'), description: '', ...fields }),
  ).channel_folder_id
const listed = async (who: Person = org.guest, fields: Fields = {}) =>
  succeeded(await who.get('/channel_folders', fields)).channel_folders
const shown = async (id: number) =>
  (await listed(org.member, { include_archived: true })).find((one: { id: number }) => one.id === id)
const channelIn = async (folder_id: number) =>
  succeeded(await org.owner.post('/channels/create', { name: fresh('channel'), subscribers: [], folder_id }))
    .id
const ofFolders = { event_types: ['channel_folder'] }

test('FOLDER-01: A new folder is sent in full to all users and placed last in the order.', async () => {
  const queue = await org.guest.listen(ofFolders)
  const id = await made({ name: 'Weather', description: 'Rain and **wind**' })
  const folder = {
    id,
    name: 'Weather',
    description: 'Rain and **wind**',
    rendered_description: '<p>Rain and <strong>wind</strong></p>',
    order: id,
    date_created: Math.floor(org.clock.now() / 1_000),
    creator_id: org.admin.id,
    is_archived: false,
  }
  expect(await queue.events()).toEqual([{ type: 'channel_folder', op: 'add', channel_folder: folder }])
  expect(await listed()).toContainEqual(folder)
  expect((await org.member.listen()).state['channel_folders']).toContainEqual(folder)
})

test('FOLDER-02: Only administrators can create, change and reorder folders.', async () => {
  const id = await made()
  const before = await shown(id)
  for (const who of [org.moderator, org.member, org.guest, org.bot]) {
    const code = 'UNAUTHORIZED_PRINCIPAL'
    refused(await who.post('/channel_folders/create', { name: fresh('No'), description: '' }), code)
    refused(await who.patch(`/channel_folders/${id}`, { name: fresh('No') }), code)
    refused(await who.patch(`/channel_folders/${id}`, { is_archived: true }), code)
    refused(await who.patch('/channel_folders', { order: [id] }), code)
  }
  expect(await shown(id)).toEqual(before)
  succeeded(await org.owner.patch(`/channel_folders/${id}`, { name: fresh('Yes') }))
})

test('FOLDER-03: Name and description can be changed separately, and all users receive the change.', async () => {
  const id = await made({ description: 'Before' })
  const queue = await org.guest.listen(ofFolders)
  succeeded(await org.admin.patch(`/channel_folders/${id}`, { name: 'Renamed' }))
  succeeded(await org.admin.patch(`/channel_folders/${id}`, { description: '*After*' }))
  succeeded(await org.admin.patch(`/channel_folders/${id}`, { name: 'Renamed' }))
  const update = (data: object) => ({ type: 'channel_folder', op: 'update', channel_folder_id: id, data })
  expect(await queue.events()).toEqual([
    update({ name: 'Renamed' }),
    update({ description: '*After*', rendered_description: '<p><em>After</em></p>' }),
  ])
  expect(await shown(id)).toMatchObject({ name: 'Renamed', description: '*After*' })
})

test('FOLDER-04: A name cannot be empty, unprintable or longer than the limit in the register response.', async () => {
  const id = await made()
  const { max_channel_folder_name_length: most } = (await org.admin.listen()).state
  expect(most).toBe(60)
  for (const name of ['', '   ', 'a\u0000b', 'x'.repeat(most + 1)]) {
    refused(await org.admin.patch(`/channel_folders/${id}`, { name }))
    refused(await org.admin.post('/channel_folders/create', { name, description: '' }))
  }
  succeeded(await org.admin.patch(`/channel_folders/${id}`, { name: 'ß'.repeat(most) }))
})

test('FOLDER-05: A description cannot be longer than the limit in the register response.', async () => {
  const id = await made()
  const { max_channel_folder_description_length: most } = (await org.admin.listen()).state
  expect(most).toBe(1_024)
  refused(await org.admin.patch(`/channel_folders/${id}`, { description: 'x'.repeat(most + 1) }))
  refused(
    await org.admin.post('/channel_folders/create', {
      name: fresh('No'),
      description: 'x'.repeat(most + 1),
    }),
  )
  succeeded(await org.admin.patch(`/channel_folders/${id}`, { description: 'x'.repeat(most) }))
  succeeded(await org.admin.patch(`/channel_folders/${id}`, { description: '' }))
})

test('FOLDER-06: Names of active folders are unique regardless of case; a folder can be renamed to another case of its own name.', async () => {
  const id = await made({ name: 'Birds' })
  refused(await org.admin.post('/channel_folders/create', { name: 'BIRDS', description: '' }))
  const other = await made()
  refused(await org.admin.patch(`/channel_folders/${other}`, { name: 'birds' }))
  succeeded(await org.admin.patch(`/channel_folders/${id}`, { name: 'BIRDS' }))
})

test('FOLDER-07: Archiving and unarchiving are sent to all users, and archived folders are listed only on request.', async () => {
  const id = await made()
  const queue = await org.guest.listen(ofFolders)
  succeeded(await org.admin.patch(`/channel_folders/${id}`, { is_archived: true }))
  expect(await shown(id)).toMatchObject({ is_archived: true })
  expect(await listed()).not.toContainEqual(expect.objectContaining({ id }))
  succeeded(await org.admin.patch(`/channel_folders/${id}`, { is_archived: false }))
  expect(await listed()).toContainEqual(expect.objectContaining({ id, is_archived: false }))
  expect(await queue.events()).toMatchObject([
    { op: 'update', data: { is_archived: true } },
    { op: 'update', data: { is_archived: false } },
  ])
})

test('FOLDER-08: A folder that contains channels cannot be archived.', async () => {
  const id = await made()
  const channel = await channelIn(id)
  refused(await org.admin.patch(`/channel_folders/${id}`, { is_archived: true }))
  expect(await shown(id)).toMatchObject({ is_archived: false })
  succeeded(await org.admin.patch(`/streams/${channel}`, { folder_id: null }))
  succeeded(await org.admin.patch(`/channel_folders/${id}`, { is_archived: true }))
})

test('FOLDER-09: The name of an archived folder can be reused, and the folder can be unarchived only if its name is free.', async () => {
  const id = await made({ name: 'Tides' })
  succeeded(await org.admin.patch(`/channel_folders/${id}`, { is_archived: true }))
  await made({ name: 'tides' })
  refused(await org.admin.patch(`/channel_folders/${id}`, { is_archived: false }))
  succeeded(await org.admin.patch(`/channel_folders/${id}`, { is_archived: false, name: 'Old tides' }))
})

test('FOLDER-10: An unknown folder is rejected.', async () => {
  refused(await org.admin.patch('/channel_folders/99999', { name: 'x' }))
})

test('FOLDER-11: Channels can be added to and removed from active folders, and all users get an event.', async () => {
  const [first, second, archived] = [await made(), await made(), await made()]
  succeeded(await org.admin.patch(`/channel_folders/${archived}`, { is_archived: true }))
  const channel = await channelIn(first)
  const folderOf = async () =>
    succeeded(await org.member.get('/streams')).streams.find(
      (one: { stream_id: number }) => one.stream_id === channel,
    ).folder_id
  expect(await folderOf()).toBe(first)
  const queue = await org.member.listen({ event_types: ['stream'] })
  succeeded(await org.owner.patch(`/streams/${channel}`, { folder_id: second }))
  expect(await folderOf()).toBe(second)
  succeeded(await org.owner.patch(`/streams/${channel}`, { folder_id: null }))
  expect(await queue.events()).toMatchObject([
    { op: 'update', stream_id: channel, property: 'folder_id', value: second },
    { op: 'update', stream_id: channel, property: 'folder_id', value: null },
  ])
  expect(await folderOf()).toBeNull()
  refused(await org.owner.patch(`/streams/${channel}`, { folder_id: archived }))
  refused(await org.owner.patch(`/streams/${channel}`, { folder_id: 99_999 }))
})

test('FOLDER-12: An order contains every folder once, including archived ones, and is sent to all users.', async () => {
  await made()
  const ids: number[] = (await listed(org.admin, { include_archived: true })).map(
    (one: { id: number }) => one.id,
  )
  const order = ids.toReversed()
  const queue = await org.guest.listen(ofFolders)
  for (const wrong of [ids.slice(1), [...ids, 99_999], [...ids.slice(1), ids[1]], []]) {
    refused(await org.admin.patch('/channel_folders', { order: wrong }))
  }
  succeeded(await org.admin.patch('/channel_folders', { order }))
  expect(await queue.events()).toEqual([{ type: 'channel_folder', op: 'reorder', order }])
  const now = await listed(org.admin, { include_archived: true })
  expect(now.map((one: { id: number; order: number }) => [one.id, one.order])).toEqual(
    order.map((id, position) => [id, position]),
  )
})

test('FOLDER-13: Requesting folder events by the name of the state also works.', async () => {
  const queue = await org.member.listen({ event_types: ['channel_folders'] })
  await made()
  expect(await queue.events()).toMatchObject([{ type: 'channel_folder', op: 'add' }])
})
