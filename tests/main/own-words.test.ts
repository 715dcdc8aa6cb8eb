import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelId, messageId, userId } from '../../src-shared/ids.ts'
import { openDevice, type Device } from '../support/device.ts'
import { sendFile } from '../support/files.ts'
import { found, succeeded, type Organization } from '../support/organization.ts'
import { drawn } from '../support/pictures.ts'

// The person's texts as this device shows them before the server has them.

let org: Organization
let device: Device

beforeAll(async () => {
  org = await found({})
  const linkifier = { pattern: 'DW-(?P<n>[0-9]+)', url_template: 'https://work.example/{n}' }
  succeeded(await org.owner.post('/realm/filters', linkifier))
  succeeded(
    await org.owner.post('/user_groups/create', {
      name: 'observers',
      description: '',
      members: [org.member.id],
    }),
  )
  await org.other.send(org.plaza, 'gauge drift', 'It drifts again')
  device = await openDevice(org.service.baseUrl, {
    email: org.member.email,
    apiKey: org.member.row.api_key,
  })
  const { accountId } = device
  await device.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  await device.until(
    'channel-topics',
    { accountId, channelId: channelId(org.plaza), limit: 9 },
    ({ topics }) => topics.length === 1,
  )
})

afterAll(async () => {
  await device?.close()
  await org?.service.close()
})

const here = async (content: string) =>
  (await device.bridge.call('preview-message', { accountId: device.accountId, content })).html
const onServer = async (content: string) =>
  (await device.bridge.call('preview-on-server', { accountId: device.accountId, content })).html

test('a text looks as the server will make it look', async () => {
  const { other, member } = org
  for (const text of [
    '**bold** *italic* ~~gone~~ `code`',
    '* one\n* two\n\n1. first\n2. second\n\n> said before\n\n---\n# Heading',
    '| a | b |\n| --- | ---: |\n| 1 | 2 |',
    '```python\nprint("tide") # now\n```',
    '```spoiler Who\n**it was**\n```',
    '$$\\frac{a}{b}$$ and\n```math\n\\sum_i x_i\n```',
    `@**${other.name}** @_**${other.name}** @**${member.name}|${member.id}** @**Nobody Here** @**all** @**topic**`,
    '@*observers* @_*observers* @*role:members* @_*role:fullmembers* @*nothing*',
    '#**plaza** #**plaza>gauge drift** #**plaza>never was** #**plaza>** #**nowhere**',
    ':tada: :no_such_thing: 🎉 :)',
    'DW-42 and https://example.org/x?a=1&b=2 and [words](https://example.org)',
    'https://example.org/picture.png\nhttps://youtu.be/dQw4w9WgXcQ',
    '<time:2027-01-02T03:04:00Z>',
    '/me waves at **everyone**',
    '/poll Where?\nHere\nThere',
    '<script>alert(1)</script> [x](javascript:alert(1)) <b onclick=x()>',
    '\n\nlines\nand lines\n\n\nafter  ',
  ]) {
    expect(await here(text), text).toBe(await onServer(text))
  }
})

test('a name means what it means now, and nobody hears of a preview', async () => {
  const { accountId } = device
  const queue = await org.other.listen()
  expect(await here('@**Gail Force**')).toBe('<p>@**Gail Force**</p>')
  succeeded(await org.owner.patch(`/users/${org.guest.id}`, { full_name: 'Gail Force' }))
  await device.until('profile', { accountId, userId: userId(org.guest.id) }, (profile) => {
    return profile?.person.fullName === 'Gail Force'
  })
  expect(await here('@**Gail Force**')).toContain(`data-user-id="${org.guest.id}"`)
  expect((await queue.events()).map(({ type }) => type)).toEqual(['realm_user'])
})

test('a changed text keeps the pictures that it had, as the server shows them', async () => {
  const { accountId } = device
  const sent = [org.service, org.member, '/user_uploads'] as const
  const { url } = succeeded(await sendFile(...sent, ['board.png', await drawn.png(60, 40), 'image/png']))
  const topic = { kind: 'topic', channelId: channelId(org.plaza), topic: 'pictures' } as const
  const feed = { accountId, narrow: topic, around: 'newest', before: 9, after: 9 } as const
  const content = `[board](${url})`
  const id = messageId(await org.member.send(org.plaza, 'pictures', content))
  await device.until('feed', feed, ({ messages }) => messages[0]?.contentHtml.includes('<img') === true)
  const said: string[] = []
  const stop = device.bridge.watch('feed', feed, ({ messages }) => {
    const [message] = messages
    if (message !== undefined) said.push(message.waitingEdit?.contentHtml ?? message.contentHtml)
  })
  await device.bridge.call('act', {
    accountId,
    action: {
      name: 'edit-message',
      messageId: id,
      content: `${content} at low tide`,
      previousContent: content,
    },
  })
  await device.until('feed', feed, ({ messages: [message] }) => {
    return message?.waitingEdit === null && message.contentHtml.includes('low tide')
  })
  stop()
  const changed = said.filter((html) => html.includes('low tide'))
  expect(changed[0]).toContain('<img')
  // The text looks the same before and after the server has it.
  expect(new Set(changed).size).toBe(1)
})

test('what waits looks as it will look', async () => {
  const { accountId } = device
  const topic = { kind: 'topic', channelId: channelId(org.plaza), topic: 'gauge drift' } as const
  const feed = { accountId, narrow: topic, around: 'newest', before: 9, after: 9 } as const
  const shown = await device.until('feed', feed, ({ messages }) => messages.length === 1)
  const [first] = shown.messages
  if (first === undefined) throw new Error('no message')
  const own = await org.member.send(org.plaza, 'gauge drift', 'mine')
  await device.until('feed', feed, ({ messages }) => messages.length === 2)
  await org.service.stop()

  const send = (content: string) =>
    device.bridge.call('act', {
      accountId,
      action: { name: 'send-message', conversation: topic, content, draftId: null },
    })
  await send(`**Ask** @**${org.other.name}** in #**lobby** [photo.png](dunlin-file:abc123)`)
  await send('/me waits')
  await device.bridge.call('act', {
    accountId,
    action: {
      name: 'edit-message',
      messageId: messageId(own),
      content: '`changed`',
      previousContent: 'mine',
    },
  })
  const { waiting, messages } = await device.until(
    'feed',
    feed,
    ({ waiting, messages }) => waiting.length === 2 && messages.at(-1)?.waitingEdit !== null,
  )
  expect(waiting[0]?.contentHtml).toBe(
    `<p><strong>Ask</strong> <span class="user-mention" data-user-id="${org.other.id}">@${org.other.name}</span> ` +
      `in <a class="stream" data-stream-id="${org.lobby}" href="/#narrow/channel/${org.lobby}-lobby">#lobby</a> ` +
      '<span aria-label="paperclip" class="emoji emoji-1f4ce" role="img" title="paperclip">:paperclip:</span> photo.png</p>',
  )
  expect(waiting.map(({ isMeMessage }) => isMeMessage)).toEqual([false, true])
  expect(messages.at(-1)?.waitingEdit?.contentHtml).toBe('<p><code>changed</code></p>')
  // Previews work offline too.
  expect(await here('*tide*')).toBe('<p><em>tide</em></p>')
  await expect(onServer('*tide*')).rejects.toMatchObject({ failure: { kind: 'offline' } })
})
