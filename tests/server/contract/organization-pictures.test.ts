import { expect, test } from 'vitest'
import { authorization, png, sendFile, type TestFile } from '../../support/files.ts'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'
import { drawn, looked } from '../../support/pictures.ts'

// The icon and the two logos of the organization, which administrators choose.

const org = organization()
const file: TestFile = ['dot.png', png, 'image/png']
/** One that can be made smaller. */
const large: TestFile = ['large.png', await drawn.png(1_600, 800), 'image/png']
const give = (who: Person, path: string, ...files: TestFile[]) => sendFile(org.service, who, path, ...files)
const state = async () => (await org.member.register({ fetch_event_types: ['realm'] })).state
const shown = async (url: string) => {
  const response = await fetch(new URL(url, org.service.workspace.url))
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

test('PICTURE-01: A new icon gets a new address, which all users receive in an event and can open.', async () => {
  const queue = await org.guest.listen({ event_types: ['realm'] })
  const { icon_url } = succeeded(await give(org.admin, '/realm/icon', large))
  const event = (data: object) => ({ type: 'realm', op: 'update_dict', property: 'icon', data })
  expect(await queue.events()).toEqual([event({ icon_url, icon_source: 'U' })])
  expect(await state()).toMatchObject({ realm_icon_url: icon_url, realm_icon_source: 'U' })
  expect(succeeded(await org.nobody.get('/server_settings')).realm_icon).toBe(icon_url)
  expect(await looked((await shown(icon_url)).bytes)).toMatchObject({ width: 200, height: 100 })
  const again = succeeded(await give(org.admin, '/realm/icon', file)).icon_url
  expect(again).not.toBe(icon_url)
  await queue.events()
  const former = succeeded(await org.admin.delete('/realm/icon')).icon_url
  expect(await queue.events()).toEqual([event({ icon_url: former, icon_source: 'G' })])
  expect(await shown(former)).toMatchObject({ status: 200, type: 'image/svg+xml' })
})

test('PICTURE-02: The two logos are set separately, and each can be reset to the generated one.', async () => {
  const queue = await org.guest.listen({ event_types: ['realm'] })
  succeeded(await give(org.admin, '/realm/logo?night=true', large))
  expect(await queue.events()).toEqual([
    {
      type: 'realm',
      op: 'update_dict',
      property: 'night_logo',
      data: { night_logo_url: expect.stringContaining('night'), night_logo_source: 'U' },
    },
  ])
  expect(await state()).toMatchObject({ realm_logo_source: 'D', realm_night_logo_source: 'U' })
  succeeded(await give(org.admin, '/realm/logo?night=false', large))
  const { realm_logo_url, realm_night_logo_url } = await state()
  expect(realm_logo_url).not.toBe(realm_night_logo_url)
  for (const url of [realm_logo_url, realm_night_logo_url])
    expect(await looked((await shown(url)).bytes)).toMatchObject({ width: 840, height: 420 })
  succeeded(await org.admin.delete('/realm/logo', { night: true }))
  expect(await state()).toMatchObject({ realm_logo_source: 'U', realm_night_logo_source: 'D' })
  succeeded(await org.admin.delete('/realm/logo', { night: false }))
  expect(await state()).toMatchObject({ realm_logo_source: 'D', realm_night_logo_source: 'D' })
  refused(await give(org.admin, '/realm/logo', file), 'REQUEST_VARIABLE_MISSING')
  refused(await org.admin.delete('/realm/logo'), 'REQUEST_VARIABLE_MISSING')
})

test('PICTURE-03: A request for a picture by its name redirects to its address, for users with an account.', async () => {
  succeeded(await give(org.admin, '/realm/logo?night=true', file))
  const { realm_icon_url, realm_logo_url, realm_night_logo_url } = await state()
  for (const [path, url] of [
    ['/realm/icon', realm_icon_url],
    ['/realm/logo?night=false', realm_logo_url],
    ['/realm/logo?night=true', realm_night_logo_url],
  ]) {
    const ask = (headers: Record<string, string>) =>
      fetch(`${org.service.baseUrl}${path}`, { redirect: 'manual', headers })
    const answer = await ask({ authorization: authorization(org.guest) })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, url])
    expect((await ask({})).status).toBe(401)
  }
})

test('PICTURE-04: Only administrators may set or remove a picture.', async () => {
  const before = await state()
  const code = 'UNAUTHORIZED_PRINCIPAL'
  for (const who of [org.moderator, org.member, org.guest, org.bot]) {
    for (const path of ['/realm/icon', '/realm/logo?night=true']) {
      refused(await give(who, path, file), code)
      refused(await who.delete(path), code)
    }
  }
  expect(await state()).toMatchObject({
    realm_icon_url: before['realm_icon_url'],
    realm_night_logo_url: before['realm_night_logo_url'],
  })
})

test('PICTURE-05: Anything but exactly one picture of at most 5 MiB is rejected; the old picture stays.', async () => {
  succeeded(await give(org.admin, '/realm/icon', file))
  const before = (await state())['realm_icon_url']
  refused(await give(org.admin, '/realm/icon', ['a.png', 'no picture', 'image/png']), 'BAD_IMAGE')
  refused(await give(org.admin, '/realm/icon'))
  refused(await give(org.admin, '/realm/icon', file, file))
  const heavy = Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)])
  refused(await give(org.admin, '/realm/icon', ['heavy.png', heavy, 'image/png']))
  expect((await state())['realm_icon_url']).toBe(before)
})
