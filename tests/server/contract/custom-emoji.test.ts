import { expect, test } from 'vitest'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'
import { drawn, looked } from '../../support/pictures.ts'
import { gif, png, sendFile } from '../../support/files.ts'

const org = organization()

const add = (who: Person, name: string, bytes: Buffer = png) =>
  sendFile(org.service, who, `/realm/emoji/${name}`, ['picture.png', bytes])
const emojiOf = async (
  who: Person,
): Promise<Record<string, { id: string; name: string; source_url: string; still_url: string | null }>> =>
  succeeded(await who.get('/realm/emoji')).emoji
const named = async (name: string) => Object.values(await emojiOf(org.other)).find((one) => one.name === name)

test('EMOJI-01: A new emoji is listed by its id, with name, picture and author.', async () => {
  succeeded(await add(org.member, 'dunlin'))
  const one = await named('dunlin')
  expect(one).toEqual({
    id: expect.stringMatching(/^\d+$/),
    name: 'dunlin',
    source_url: expect.stringMatching(/^\/user_avatars\//),
    still_url: null,
    deactivated: false,
    author_id: org.member.id,
  })
  expect(await emojiOf(org.other)).toHaveProperty(one?.id ?? '')
})

test('EMOJI-02: The picture can be fetched without credentials, with its correct content type.', async () => {
  const response = await fetch(new URL((await named('dunlin'))?.source_url ?? '', org.service.baseUrl))
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true)
})

test('EMOJI-03: A name consists of lower-case letters, digits, hyphens and underscores, and ends with a letter or digit.', async () => {
  succeeded(await add(org.member, 'sand-piper_2'))
  for (const name of ['Loud', 'end_', 'end-', 'with%20space', 'ümlaut']) refused(await add(org.member, name))
})

test('EMOJI-04: A name in use is rejected until its emoji is removed.', async () => {
  refused(await add(org.other, 'dunlin'))
  succeeded(await add(org.member, 'twice'))
  succeeded(await org.member.delete('/realm/emoji/twice'))
  succeeded(await add(org.other, 'twice', gif))
})

test('EMOJI-05: Only administrators can override a built-in emoji.', async () => {
  refused(await add(org.member, 'tada'))
  succeeded(await add(org.admin, 'tada'))
  succeeded(await org.admin.delete('/realm/emoji/tada'))
})

test('EMOJI-06: A file that is not an image is rejected with BAD_IMAGE, and one above 5 MiB is rejected too.', async () => {
  refused(await add(org.member, 'text', Buffer.from('<svg/>')), 'BAD_IMAGE')
  refused(await add(org.member, 'huge', Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)])))
})

test('EMOJI-07: Only its author and administrators can remove an emoji; an unknown one is rejected with 404.', async () => {
  succeeded(await add(org.member, 'mine'))
  refused(await org.other.delete('/realm/emoji/mine'))
  succeeded(await org.admin.delete('/realm/emoji/mine'))
  refused(await org.admin.delete('/realm/emoji/mine'), 'BAD_REQUEST', 404)
  expect(await named('mine')).toMatchObject({ deactivated: true })
})

test('EMOJI-08: Every change sends an event with all emoji to all users.', async () => {
  const queue = await org.guest.register({ event_types: ['realm_emoji'] })
  succeeded(await add(org.member, 'eventful'))
  const [event] = await queue.events()
  expect(event).toMatchObject({ type: 'realm_emoji', op: 'update' })
  expect(event?.realm_emoji).toEqual(await emojiOf(org.guest))
  const { state } = await org.guest.register({ fetch_event_types: ['realm_emoji'] })
  expect(state.realm_emoji).toEqual(await emojiOf(org.guest))
})

test('EMOJI-09: In a message, a custom emoji is rendered as its picture.', async () => {
  const id = await org.member.send(org.plaza, 'birds', 'a :dunlin: flies')
  const { content } = succeeded(await org.other.get(`/messages/${id}`)).message
  expect(content).toContain(
    `<img alt=":dunlin:" class="emoji" src="${(await named('dunlin'))?.source_url}" title="dunlin">`,
  )
})

test('EMOJI-10: Users can react with a custom emoji, and with a removed one only where it is already a reaction.', async () => {
  const id = await org.member.send(org.plaza, 'birds', 'react')
  const reaction = { emoji_name: 'sand-piper_2', reaction_type: 'realm_emoji' }
  succeeded(await org.other.post(`/messages/${id}/reactions`, reaction))
  const { id: code = '' } = (await named('sand-piper_2')) ?? {}
  expect(succeeded(await org.member.get(`/messages/${id}`)).message.reactions).toMatchObject([
    { emoji_name: 'sand-piper_2', emoji_code: code, reaction_type: 'realm_emoji', user_id: org.other.id },
  ])
  succeeded(await org.admin.delete('/realm/emoji/sand-piper_2'))
  succeeded(await org.admin.post(`/messages/${id}/reactions`, { ...reaction, emoji_code: code }))
  const elsewhere = await org.member.send(org.plaza, 'birds', 'not here')
  refused(await org.admin.post(`/messages/${elsewhere}/reactions`, { ...reaction, emoji_code: code }))
})

test('EMOJI-11: A status can use a custom emoji.', async () => {
  succeeded(await org.member.post('/users/me/status', { emoji_name: 'dunlin' }))
  expect(succeeded(await org.other.get(`/users/${org.member.id}/status`)).status).toEqual({
    emoji_name: 'dunlin',
    emoji_code: (await named('dunlin'))?.id,
    reaction_type: 'realm_emoji',
  })
})

test('EMOJI-12: A permission of the organization decides who may add emoji.', async () => {
  refused(await add(org.guest, 'guestly'))
  refused(await add(org.bot, 'botly'))
})

test('EMOJI-13: An animated emoji also has a still picture at its still_url; both addresses are sent to all users.', async () => {
  const queue = await org.other.listen({ event_types: ['realm_emoji'] })
  succeeded(await add(org.member, 'film', await drawn.film(64, 64)))
  const one = await named('film')
  expect((await queue.events())[0]?.['realm_emoji'][one?.id ?? '']).toEqual(one)
  expect(one?.still_url).toMatch(/^\/user_avatars\/\d+\/emoji\/images\/still\//)
  const shown = async (url: string | null = '') =>
    looked(Buffer.from(await (await fetch(new URL(url ?? '', org.service.baseUrl))).arrayBuffer()))
  expect(await shown(one?.source_url)).toMatchObject({ width: 64, frames: 3 })
  expect(await shown(one?.still_url)).toMatchObject({ width: 64, frames: 1, corner: 'red' })
  const nowhere = await fetch(new URL('/user_avatars/1/emoji/images/still/none.gif', org.service.baseUrl))
  expect(nowhere.status).toBe(404)
})
