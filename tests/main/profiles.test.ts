import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { plainUser } from '../../bench/workload.ts'
import { accountSettings } from '../../src-main/queries/account-settings.ts'
import { openStore } from '../../src-main/store/database.ts'
import { putUser } from '../../src-main/store/users.ts'
import type { ResultOf } from '../../src-shared/bridge/queries.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { groupId, userId, type LocalId, type UserId } from '../../src-shared/ids.ts'
import { profileValueProblem } from '../../src-shared/model/profile.ts'
import { openDevice, type Device } from '../support/device.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { gif } from '../support/files.ts'
import { found, succeeded, type Organization } from '../support/organization.ts'

// What cards show of people and groups on this device.

let org: Organization
let device: Device

beforeAll(async () => {
  org = await found({})
  device = await openDevice(org.service.baseUrl, {
    email: org.member.email,
    apiKey: org.member.row.api_key,
  })
  await device.until('sync-state', { accountId: device.accountId }, ({ status }) => status === 'synced')
})
afterAll(async () => {
  await device.close()
  await org.service.close()
})

const profileOf = (id: number) => ({ accountId: device.accountId, userId: userId(id) })

const field = async (name: string, field_type: number, field_data?: object, more?: object) =>
  Number(
    succeeded(
      await org.owner.post('/realm/profile_fields', {
        name,
        field_type,
        ...(field_data === undefined ? {} : { field_data: JSON.stringify(field_data) }),
        ...more,
      }),
    )['id'],
  )

test('a field that names people tells who they are, live', async () => {
  const ids = {
    day: await field('First aid', 4),
    people: await field('Stands in', 6),
  }
  succeeded(
    await org.owner.patch('/users/me/profile_data', {
      data: JSON.stringify([
        { id: ids.day, value: '2027-03-01' },
        { id: ids.people, value: [org.member.id, org.guest.id] },
      ]),
    }),
  )
  const profile = await device.until(
    'profile',
    profileOf(org.owner.id),
    (value) => value?.values.length === 2,
  )
  expect(profile?.values).toMatchObject([
    { name: 'First aid', kind: 'date', text: '2027-03-01' },
    { name: 'Stands in', kind: 'people', people: [{ userId: org.member.id }, { userId: org.guest.id }] },
  ])
  expect(await device.ask('profile', profileOf(9_999))).toBeNull()
})

test('a group has the members of the groups in it', async () => {
  const make = async (name: string, members: number[], subgroups: number[] = []) =>
    Number(
      succeeded(
        await org.owner.post('/user_groups/create', {
          name,
          description: `The ${name}`,
          members: JSON.stringify(members),
          subgroups: JSON.stringify(subgroups),
        }),
      )['group_id'],
    )
  const inner = await make('counters', [org.guest.id, org.member.id])
  const outer = await make('observers', [org.owner.id], [inner])
  const { accountId } = device
  const group = await device.until(
    'group-profile',
    { accountId, groupId: groupId(outer) },
    (one) => one !== null,
  )
  expect(group?.members.map((one) => one.userId)[0]).toBe(org.member.id)
  expect(new Set(group?.members.map((one) => one.userId))).toEqual(
    new Set([org.owner.id, org.member.id, org.guest.id]),
  )
  expect(group).toMatchObject({ memberCount: 3, subgroups: [{ groupId: inner, name: 'counters' }] })
})

test('muting and a status take effect at once, wait offline, and arrive', async () => {
  const { accountId } = device
  await org.service.stop()
  const act = (action: Parameters<typeof device.bridge.call<'act'>>[1]['action']) =>
    device.bridge.call('act', { accountId, action })
  await act({ name: 'mute-person', userId: userId(org.guest.id), on: true })
  await device.until('profile', profileOf(org.guest.id), (value) => value?.isMuted === true)
  const emoji = { name: 'bird', code: '1f426', type: 'unicode_emoji' } as const
  await act({ name: 'set-status', text: 'On the way', emoji: null })
  // Without blank edges, as the server keeps it.
  await act({ name: 'set-status', text: ' Counting ', emoji })
  const own = await device.until(
    'account-settings',
    { accountId },
    ({ ownStatus }) => ownStatus?.text === 'Counting',
  )
  expect(own.ownStatus?.emoji).toEqual(emoji)
  const waiting = await device.ask('outbox', { accountId })
  expect(new Set(waiting.map(({ title }) => title))).toEqual(new Set(['1 person muted', 'Your status']))
  await org.service.start()
  await device.until('outbox', { accountId }, (items) => items.length === 0)
  const { status } = succeeded(await org.owner.get(`/users/${org.member.id}/status`, {}))
  expect(status).toMatchObject({ status_text: 'Counting', emoji_code: '1f426' })
  expect((await device.ask('profile', profileOf(org.guest.id)))?.isMuted).toBe(true)
  const { state } = await org.member.register()
  expect(state['muted_users']).toMatchObject([{ id: org.guest.id }])
  await act({ name: 'mute-person', userId: userId(org.guest.id), on: false })
  await device.until('profile', profileOf(org.guest.id), (value) => value?.isMuted === false)
})

test('the own name changes at once, waits offline as one change, and is as the server has it once refused', async () => {
  const { accountId } = device
  const act = (fullName: string) =>
    device.bridge.call('act', { accountId, action: { name: 'set-own-name', fullName } })
  const ownName = async () => (await device.ask('account-settings', { accountId })).ownFullName
  const before = await ownName()
  await device.until('outbox', { accountId }, (items) => items.length === 0)
  await org.service.stop()
  await device.untilOffline()
  await act('Mara M.')
  await act('  Mara of the Marsh ')
  expect(await ownName()).toBe('Mara of the Marsh')
  expect((await device.ask('profile', profileOf(org.member.id)))?.person.fullName).toBe('Mara of the Marsh')
  await device.until('accounts', {}, ([one]) => one?.fullName === 'Mara of the Marsh')
  expect(await device.ask('outbox', { accountId })).toMatchObject([{ title: 'Name “Mara of the Marsh”' }])
  await org.service.start()
  await device.until('outbox', { accountId }, (items) => items.length === 0)
  expect(succeeded(await org.owner.get(`/users/${org.member.id}`)).user.full_name).toBe('Mara of the Marsh')

  await act('Mara *the* Member')
  const [refused] = await device.until('outbox', { accountId }, ([one]) => one?.state.state === 'refused')
  expect(refused?.state.reason).toBe('Invalid characters in name!')
  await device.until('account-settings', { accountId }, (own) => own.ownFullName === 'Mara of the Marsh')
  await device.bridge.call('discard-outbox-item', { accountId, localId: refused!.localId })
  await act(before)
  await device.until('outbox', { accountId }, (items) => items.length === 0)
})

test('own profile fields of every kind change at once, wait offline as one change each, and arrive', async () => {
  const { accountId } = device
  const berths = { 0: { text: 'Bow', order: '2' }, 1: { text: 'Stern', order: '1' } }
  const wanted: readonly (readonly [fieldId: number, value: string | UserId[], text: string])[] = [
    [await field('Radio', 1), 'Channel 8', 'Channel 8'],
    [await field('About', 2), 'Counts **birds**\nand rings them', 'Counts **birds**\nand rings them'],
    [await field('Berth', 3, berths), '0', 'Bow'],
    [await field('Inoculated', 4), '2026-02-28', '2026-02-28'],
    [await field('Page', 5), 'https://mara.example/birds', 'https://mara.example/birds'],
    [await field('Backed up by', 6), [userId(org.guest.id), userId(org.owner.id)], ''],
    [await field('Code', 7, { subtype: 'github' }), 'mara', 'mara'],
    [await field('Pronouns', 8, undefined, { hint: 'As you like', required: true }), 'she, her', 'she, her'],
  ]
  const fixed = await field('Badge', 1, undefined, { editable_by_user: false })
  const act = (fieldId: number, value: string | UserId[]) =>
    device.bridge.call('act', { accountId, action: { name: 'set-profile-field', fieldId, value } })
  const settled = () => device.until('outbox', { accountId }, (items) => items.length === 0)
  const own = () => device.ask('own-profile', { accountId })
  await device.until('own-profile', { accountId }, (fields) => fields.at(-1)?.fieldId === fixed)
  await org.service.stop()
  await device.untilOffline()
  await act(wanted[0]![0], 'first this')
  for (const [fieldId, value] of wanted) await act(fieldId, value)
  const shown = (await own()).slice(-9)
  expect(shown.map((one) => [one.kind, one.value, one.isWaiting, one.mayChange])).toEqual([
    ['text', 'Channel 8', true, true],
    ['long-text', 'Counts **birds**\nand rings them', true, true],
    ['choice', '0', true, true],
    ['date', '2026-02-28', true, true],
    ['link', 'https://mara.example/birds', true, true],
    ['people', `[${org.guest.id},${org.owner.id}]`, true, true],
    ['account', 'mara', true, true],
    ['pronouns', 'she, her', true, true],
    ['text', '', false, false],
  ])
  expect(shown[2]?.choices.map(({ label }) => label)).toEqual(['Stern', 'Bow'])
  expect(shown[5]?.people.map((one) => one.userId)).toEqual([org.guest.id, org.owner.id])
  expect(shown[7]).toMatchObject({ name: 'Pronouns', hint: 'As you like', isRequired: true })
  const { values } = (await device.ask('profile', profileOf(org.member.id)))!
  for (const [fieldId, , text] of wanted.filter((one) => one[2] !== ''))
    expect(values.find((one) => one.fieldId === fieldId)?.text).toBe(text)
  const titles = (await device.ask('outbox', { accountId })).map(({ title }) => title)
  expect(titles).toHaveLength(8)
  expect(titles).toContain('“Radio” in your profile')
  await org.service.start()
  await settled()
  const said = async () =>
    succeeded(await org.owner.get(`/users/${org.member.id}`, { include_custom_profile_fields: true })).user
      .profile_data
  const kept = await said()
  for (const [fieldId, value] of wanted)
    expect(kept[fieldId].value).toBe(typeof value === 'string' ? value : JSON.stringify(value))

  // A change that was undone offline leaves what the server rendered: it sends no event for what it has.
  const rendered = async () =>
    (await device.ask('profile', profileOf(org.member.id)))?.values.find(({ name }) => name === 'About')?.html
  const about = wanted[1]![0]
  await device.until(
    'profile',
    profileOf(org.member.id),
    (one) => one?.values.some(({ html }) => html?.includes('<strong>birds</strong>') === true) === true,
  )
  const before = await rendered()
  await org.service.stop()
  await device.untilOffline()
  for (const text of ['Counts seals', '', wanted[1]![1]]) await act(about, text)
  expect(await rendered()).toBe(before)
  await org.service.start()
  await settled()
  expect(await rendered()).toBe(before)

  await act(wanted[7]![0], '')
  await act(wanted[5]![0], [])
  await settled()
  expect(Object.keys(await said())).toHaveLength(6)

  await act(wanted[2]![0], '7')
  const [refused] = await device.until('outbox', { accountId }, ([one]) => one?.state.state === 'refused')
  expect(refused?.state.reason).toBe("'7' is not a valid choice for 'Berth'.")
  await device.until('own-profile', { accountId }, (fields) => fields.at(-7)?.value === '0')
  // A choice is no text that somebody typed.
  expect(refused).toMatchObject({ contentMarkdown: null })
  const discard = (localId: LocalId) => device.bridge.call('discard-outbox-item', { accountId, localId })
  expect(await discard(refused!.localId)).toEqual({ draftId: null })

  // Too long for this field, as a text can be for a server with a limit of its own.
  const words = 'she, her, '.repeat(6).trim()
  const refuse = async () => {
    await act(wanted[7]![0], words)
    const [one] = await device.until('outbox', { accountId }, ([one]) => one?.state.state === 'refused')
    expect(one).toMatchObject({ action: 'set-profile-field', contentMarkdown: words })
    return one!.localId
  }
  const { draftId } = await discard(await refuse())
  const ended = await device.ask('ended-drafts', { accountId })
  expect(ended).toMatchObject([{ id: draftId, recipient: null, content: words }])
  const taken = await device.bridge.call('take-back-message', { accountId, localId: await refuse() })
  const draft = await device.ask('draft', { accountId, draftId: taken.draftId })
  expect(draft).toMatchObject({ recipient: null, content: words })
  await org.service.stop()
  await device.untilOffline()
  await act(wanted[7]![0], 'they, them')
  const [waiting] = await device.ask('outbox', { accountId })
  await discard(waiting!.localId)
  const contents = (await device.ask('ended-drafts', { accountId })).map(({ content }) => content)
  expect(contents).toContain('they, them')
  await org.service.start()
  await settled()
})

test('what a profile field does not accept is known before it is sent', () => {
  expect(profileValueProblem('pronouns', 'x'.repeat(50))).toBe(null)
  expect(profileValueProblem('pronouns', 'x'.repeat(51))).toBe('too-long')
  expect(profileValueProblem('long-text', 'x'.repeat(500))).toBe(null)
  expect(profileValueProblem('long-text', 'x'.repeat(501))).toBe('too-long')
  expect(profileValueProblem('link', 'tides.example')).toBe('no-link')
  expect(profileValueProblem('link', 'https://')).toBe('no-link')
  expect(profileValueProblem('link', 'https://tides.example/a b')).toBe('link-space')
  expect(profileValueProblem('link', 'https://tides.example')).toBe(null)
  expect(profileValueProblem('link', '')).toBe(null)
})

test('the own picture is the one that was uploaded, until it is removed', async () => {
  const { accountId } = device
  const own = (isWanted: (value: ResultOf<'account-settings'>) => boolean) =>
    device.until('account-settings', { accountId }, isWanted)
  const before = await own(({ hasOwnPicture }) => !hasOwnPicture)
  const picture = { accountId, name: 'me.gif', mediaType: 'image/gif', bytes: gif.toString('base64') }
  await device.bridge.call('set-own-picture', picture)
  const after = await own(({ hasOwnPicture }) => hasOwnPicture)
  expect(after.ownAvatarUrl).not.toBe(before.ownAvatarUrl)
  const shown = await fetch(new URL(after.ownAvatarUrl ?? '', org.service.baseUrl))
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(gif)
  const noPicture = { ...picture, bytes: Buffer.from('words').toString('base64') }
  const failure = await device.bridge.call('set-own-picture', noPicture).catch(failureOf)
  expect(failure).toMatchObject({ kind: 'rejected', code: 'BAD_IMAGE' })
  await device.bridge.call('remove-own-picture', { accountId })
  await own(({ hasOwnPicture }) => !hasOwnPicture)
})

test('a new address is mailed a link and counts once that is opened; a new password leaves the device signed in', async () => {
  const { accountId } = device
  const { call } = device.bridge
  const ownEmail = (email: string) =>
    device.until('account-settings', { accountId }, (own) => own.ownEmail === email)
  await ownEmail(org.member.email)
  const taken = await call('change-own-email', { accountId, email: org.other.email }).catch(failureOf)
  expect(taken).toMatchObject({ kind: 'rejected', message: 'Another account has this email address.' })
  await call('change-own-email', { accountId, email: 'mara.marsh@example.org' })
  await ownEmail(org.member.email)
  const mail = org.service.mails.at(-1)
  expect(mail?.to).toBe('mara.marsh@example.org')
  expect((await fetch(/\S+\/confirm-email\/\S+/.exec(mail?.text ?? '')?.[0] ?? '')).status).toBe(200)
  await ownEmail('mara.marsh@example.org')

  const [oldPassword, newPassword] = ['correct horse battery', 'brand new words']
  const wrong = await call('change-own-password', { accountId, oldPassword: 'a guess', newPassword }).catch(
    failureOf,
  )
  expect(wrong).toMatchObject({ kind: 'rejected', message: 'Wrong password!' })
  await call('change-own-password', { accountId, oldPassword, newPassword })
  const signIn = (password: string) =>
    org.nobody.post('/fetch_api_key', { username: 'mara.marsh@example.org', password })
  expect((await signIn(oldPassword)).status).toBe(401)
  succeeded(await signIn(newPassword))
  await call('act', { accountId, action: { name: 'set-status', text: 'still here', emoji: null } })
  await device.until('outbox', { accountId }, (items) => items.length === 0)
})

test('one’s own name is empty until the server has told it', () => {
  const store = openStore(join(temporaryFolder(onTestFinished), 'a.db'), () => {})
  onTestFinished(() => store.close())
  const own = () => accountSettings({ db: store.db, ownUserId: userId(1), now: 0 }).ownFullName
  expect(own()).toBe('')
  store.write((db) => putUser(db, plainUser(1)))
  expect(own()).toBe('Person 1')
})
