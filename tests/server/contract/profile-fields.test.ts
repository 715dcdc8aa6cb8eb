import { expect, test } from 'vitest'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'
import { gif, png, sendFile } from '../../support/files.ts'

const org = organization()

const fieldsOf = async (who: Person = org.member) =>
  succeeded(await who.get('/realm/profile_fields')).custom_fields
const create = (fields: object, who: Person = org.admin) => who.post('/realm/profile_fields', { ...fields })
const newField = async (name: string, field_type: number, more: object = {}): Promise<number> =>
  succeeded(await create({ name, field_type, ...more })).id
const set = (id: number, value: unknown, who: Person = org.member) =>
  who.patch('/users/me/profile_data', { data: [{ id, value }] })
const profileOf = async (who: Person) =>
  succeeded(await org.other.get(`/users/${who.id}`, { include_custom_profile_fields: true })).user
    .profile_data

test('PROFILE-01: An administrator adds fields, which are listed in order with all their properties.', async () => {
  const id = await newField('Phone', 1, { hint: 'With country code', required: true, editable_by_user: true })
  const second = await newField('Pet', 1, { display_in_profile_summary: true })
  expect(await fieldsOf()).toEqual([
    {
      id,
      type: 1,
      order: 1,
      name: 'Phone',
      hint: 'With country code',
      field_data: '',
      required: true,
      editable_by_user: true,
    },
    {
      id: second,
      type: 1,
      order: 2,
      name: 'Pet',
      hint: '',
      field_data: '',
      display_in_profile_summary: true,
      required: false,
      editable_by_user: true,
    },
  ])
})

test('PROFILE-02: Only administrators may define fields.', async () => {
  const [field] = await fieldsOf()
  refused(await create({ name: 'x', field_type: 1 }, org.member), 'UNAUTHORIZED_PRINCIPAL')
  refused(
    await org.member.patch(`/realm/profile_fields/${field.id}`, { name: 'y' }),
    'UNAUTHORIZED_PRINCIPAL',
  )
  refused(await org.member.patch('/realm/profile_fields', { order: [] }), 'UNAUTHORIZED_PRINCIPAL')
  refused(await org.member.delete(`/realm/profile_fields/${field.id}`), 'UNAUTHORIZED_PRINCIPAL')
})

test('PROFILE-03: A label is unique, not blank and at most 40 characters long, a hint at most 80; there are eight types.', async () => {
  refused(await create({ name: 'phone', field_type: 1 }))
  refused(await create({ name: ' ', field_type: 1 }))
  refused(await create({ name: 'x'.repeat(41), field_type: 1 }))
  refused(await create({ name: 'x', hint: 'x'.repeat(81), field_type: 1 }))
  refused(await create({ name: 'x', field_type: 9 }))
})

test('PROFILE-04: At most two fields are shown in the summary, and none of type long text or users.', async () => {
  const id = await newField('Second', 1, { display_in_profile_summary: true })
  refused(await create({ name: 'Third', field_type: 1, display_in_profile_summary: true }))
  refused(await create({ name: 'Long', field_type: 2, display_in_profile_summary: true }))
  succeeded(await org.admin.delete(`/realm/profile_fields/${id}`))
})

test('PROFILE-05: The order is set with all ids.', async () => {
  const ids = (await fieldsOf()).map((field: { id: number }) => field.id)
  refused(await org.admin.patch('/realm/profile_fields', { order: ids.slice(1) }))
  succeeded(await org.admin.patch('/realm/profile_fields', { order: [...ids].reverse() }))
  expect((await fieldsOf()).map((field: { id: number }) => field.id)).toEqual([...ids].reverse())
})

test('PROFILE-06: An update changes only the named properties of a field; removing a field also removes all users’ values.', async () => {
  const id = await newField('Temporary', 1)
  succeeded(await set(id, 'here'))
  succeeded(await org.admin.patch(`/realm/profile_fields/${id}`, { hint: 'soon gone' }))
  expect(await fieldsOf()).toContainEqual(
    expect.objectContaining({ id, name: 'Temporary', hint: 'soon gone' }),
  )
  expect(await profileOf(org.member)).toHaveProperty(String(id))
  succeeded(await org.admin.delete(`/realm/profile_fields/${id}`))
  expect(await profileOf(org.member)).not.toHaveProperty(String(id))
  refused(await org.admin.delete(`/realm/profile_fields/${id}`))
  refused(await org.admin.patch(`/realm/profile_fields/${id}`, { name: 'x' }))
})

test('PROFILE-07: A text is shown as written and, for types that support Markdown, as HTML.', async () => {
  const short = await newField('Motto', 1)
  const pronouns = await newField('Pronouns', 8)
  succeeded(await set(short, '**bold**'))
  succeeded(await set(pronouns, 'they'))
  expect(await profileOf(org.member)).toMatchObject({
    [short]: { value: '**bold**', rendered_value: '<p><strong>bold</strong></p>' },
    [pronouns]: { value: 'they' },
  })
  expect((await profileOf(org.member))[pronouns]).not.toHaveProperty('rendered_value')
})

test('PROFILE-08: A value must match the type of its field.', async () => {
  const choice = await newField('Team', 3, {
    field_data: { a: { text: 'Red', order: '1' }, b: { text: 'Blue', order: '2' } },
  })
  const date = await newField('Birthday', 4)
  const link = await newField('Site', 5)
  const people = await newField('Mentor', 6)
  const account = await newField('Code', 7, { field_data: { subtype: 'github' } })
  const short = await newField('Short', 1)
  for (const [id, good, bad] of [
    [choice, 'b', 'c'],
    [date, '1990-02-28', '1990-02-30'],
    [link, 'https://example.org/', 'javascript:alert(1)'],
    [people, [org.other.id], [99_999]],
    [account, 'octo', 'x'.repeat(51)],
    [short, 'ü'.repeat(50), 'x'.repeat(51)],
  ] as const) {
    refused(await set(id, bad))
    succeeded(await set(id, good))
    expect((await profileOf(org.member))[id].value).toBe(
      typeof good === 'string' ? good : JSON.stringify(good),
    )
  }
  refused(await create({ name: 'Empty choice', field_type: 3, field_data: {} }))
  refused(await create({ name: 'No account', field_type: 7, field_data: { subtype: 'nowhere' } }))
})

test('PROFILE-09: If one value of a request is invalid, none of its values is set.', async () => {
  const [first, second] = [await newField('All', 1), await newField('Nothing', 4)]
  refused(
    await org.member.patch('/users/me/profile_data', {
      data: [
        { id: first, value: 'x' },
        { id: second, value: 'no date' },
      ],
    }),
  )
  expect(await profileOf(org.member)).not.toHaveProperty(String(first))
})

test('PROFILE-10: An empty value or a request to delete it clears the value.', async () => {
  const id = await newField('Clear me', 1)
  succeeded(await set(id, 'x'))
  succeeded(await set(id, ''))
  expect(await profileOf(org.member)).not.toHaveProperty(String(id))
  succeeded(await set(id, 'y'))
  succeeded(await org.member.delete('/users/me/profile_data', { data: [id] }))
  expect(await profileOf(org.member)).not.toHaveProperty(String(id))
})

test('PROFILE-11: A field that users may not edit can be set by administrators only.', async () => {
  const id = await newField('Office', 1, { editable_by_user: false })
  refused(await set(id, '12'))
  succeeded(await set(id, '12', org.admin))
})

test('PROFILE-12: Changes of fields and of values are sent to all users in events.', async () => {
  const queue = await org.guest.register({ event_types: ['custom_profile_fields', 'realm_user'] })
  const id = await newField('Eventful', 1)
  succeeded(await set(id, 'x'))
  succeeded(await set(id, 'x'))
  succeeded(await set(id, ''))
  const [defined, filled, cleared, ...more] = await queue.events()
  expect(defined?.fields).toEqual(await fieldsOf())
  const person = (custom_profile_field: object) => ({ user_id: org.member.id, custom_profile_field })
  expect(filled).toMatchObject({
    op: 'update',
    person: person({ id, value: 'x', rendered_value: '<p>x</p>' }),
  })
  expect(cleared).toMatchObject({ op: 'update', person: person({ id, value: null }) })
  expect(more).toEqual([])
})

test('PROFILE-13: The answer to a registration holds the fields, their types and all users’ values.', async () => {
  const id = await newField('Registered', 1)
  succeeded(await set(id, 'here'))
  const { state } = await org.other.register({ fetch_event_types: ['custom_profile_fields', 'realm_user'] })
  expect(state.custom_profile_fields).toEqual(await fieldsOf())
  expect(state.custom_profile_field_types).toMatchObject({ SHORT_TEXT: { id: 1 }, PRONOUNS: { id: 8 } })
  const person = state.realm_users.find((one: { user_id: number }) => one.user_id === org.member.id)
  expect(person.profile_data[id].value).toBe('here')
})

test('PROFILE-14: User objects include profile data only on request, the user’s own always, and those of bots never.', async () => {
  const plain = succeeded(await org.other.get(`/users/${org.member.id}`)).user
  expect(plain).not.toHaveProperty('profile_data')
  expect(succeeded(await org.member.get('/users/me'))).toHaveProperty('profile_data')
  const bot = succeeded(
    await org.other.get(`/users/${org.bot.id}`, { include_custom_profile_fields: true }),
  ).user
  expect(bot).not.toHaveProperty('profile_data')
  const { members } = succeeded(await org.other.get('/users', { include_custom_profile_fields: true }))
  expect(members.find((one: { user_id: number }) => one.user_id === org.member.id)).toHaveProperty(
    'profile_data',
  )
  expect(succeeded(await org.other.get('/users')).members[0]).not.toHaveProperty('profile_data')
})

test('PROFILE-15: Administrators may set the values of other users, even in fields that users may not edit; other users may not.', async () => {
  const id = await newField('Desk', 1, { editable_by_user: false })
  const wish = { profile_data: [{ id, value: 'by the window' }] }
  refused(await org.member.patch(`/users/${org.other.id}`, wish), 'UNAUTHORIZED_PRINCIPAL')
  succeeded(await org.admin.patch(`/users/${org.other.id}`, wish))
  expect((await profileOf(org.other))[id].value).toBe('by the window')
  refused(await org.admin.patch(`/users/${org.other.id}`, { profile_data: [{ id, value: 'x'.repeat(51) }] }))
  refused(await org.admin.patch(`/users/${org.bot.id}`, wish))
})

test('AVATAR-01: A new avatar gets a new address and version, which are sent to all users in an event.', async () => {
  const queue = await org.other.register({ event_types: ['realm_user'] })
  const before = succeeded(await org.member.get('/users/me')).avatar_version
  const { avatar_url } = succeeded(
    await sendFile(org.service, org.member, '/users/me/avatar', ['me.gif', gif]),
  )
  const after = succeeded(await org.member.get('/users/me'))
  expect(after).toMatchObject({ avatar_url, avatar_version: before + 1 })
  expect(await queue.events()).toMatchObject([
    {
      type: 'realm_user',
      op: 'update',
      person: { user_id: org.member.id, avatar_url, avatar_source: 'U', avatar_version: before + 1 },
    },
  ])
  const response = await fetch(new URL(avatar_url, org.service.baseUrl))
  expect(response.headers.get('content-type')).toBe('image/gif')
})

test('AVATAR-02: Deleting the avatar restores the generated one.', async () => {
  const { avatar_url } = succeeded(await org.member.delete('/users/me/avatar'))
  const response = await fetch(new URL(avatar_url, org.service.baseUrl))
  expect(response.headers.get('content-type')).toBe('image/svg+xml')
  const { state } = await org.member.register({ fetch_event_types: ['realm_user'] })
  expect(state).toMatchObject({ avatar_url, avatar_source: 'G' })
})

test('AVATAR-03: An invalid picture, or one larger than 5 MiB, is rejected.', async () => {
  const send = (bytes: Buffer) => sendFile(org.service, org.member, '/users/me/avatar', ['me.png', bytes])
  refused(await send(Buffer.from('no picture')), 'BAD_IMAGE')
  refused(await send(Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)])))
  refused(await sendFile(org.service, org.member, '/users/me/avatar'))
})

test('AVATAR-04: Where avatar changes are disabled, only administrators can change their own.', async () => {
  const send = (who: Person) => sendFile(org.service, who, '/users/me/avatar', ['me.gif', gif])
  succeeded(await org.owner.patch('/realm', { avatar_changes_disabled: true }))
  refused(await send(org.member))
  refused(await org.member.delete('/users/me/avatar'))
  succeeded(await send(org.admin))
  succeeded(await org.owner.patch('/realm', { avatar_changes_disabled: false }))
  succeeded(await send(org.member))
})

test('PROFILE-16: A text value is a string without null bytes, of at most 10000 characters; user values are active users; choices are distinct.', async () => {
  const [short, long, people] = [
    await newField('Plain', 1),
    await newField('Story', 2),
    await newField('Friends', 6),
  ]
  const gone = org.join('Gone Gil')
  succeeded(await org.owner.delete(`/users/${gone.id}`))
  for (const [id, value] of [
    [short, [org.other.id]],
    [short, 'a\0b'],
    [long, 'x'.repeat(10_001)],
    [people, [org.other.id, gone.id]],
    [people, [org.bot.id]],
  ] as const)
    refused(await set(id, value))
  succeeded(await set(long, 'ü'.repeat(10_000)))
  const profile = await profileOf(org.member)
  expect([short, people].filter((id) => id in profile)).toEqual([])
  const twice = { a: { text: 'Red', order: '1' }, b: { text: 'Red', order: '2' } }
  refused(await create({ name: 'Twice', field_type: 3, field_data: twice }))
})
