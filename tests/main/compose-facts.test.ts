import { roles } from '../../src-shared/roles.ts'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { composeFacts } from '../../src-main/queries/compose-facts.ts'
import { personById } from '../../src-main/queries/labels.ts'
import { sendersOf } from '../../src-main/queries/senders.ts'
import { openStore } from '../../src-main/store/database.ts'
import { putOrganizationValue } from '../../src-main/store/organization.ts'
import { putUser } from '../../src-main/store/users.ts'
import type { ComposeFacts } from '../../src-shared/bridge/suggestion.ts'
import { userId } from '../../src-shared/ids.ts'
import { directConversation, topicConversation } from '../../src-shared/model/conversation.ts'
import { succeeded, type Organization, type Person } from '../support/organization.ts'
import { deviceInOrganization } from '../support/organization-device.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Compares what the device says about a text with what the service does with it.

const only = (...people: Person[]) => ({ direct_members: people.map(({ id }) => id), direct_subgroups: [] })

/** Fills #plaza and its topic "Calls" with people, and makes a group that only administrators may mention. */
async function fill({ owner, admin, member, other, plaza, join }: Organization) {
  const crowd = Array.from({ length: 16 }, (_, number) => join(`Crowd ${number}`))
  succeeded(
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'plaza' }],
      principals: crowd.map(({ id }) => id),
    }),
  )
  for (const person of crowd) await person.send(plaza, 'Calls', 'here')
  const news = await owner.send(plaza, 'News', 'One of you writes, the others react.')
  for (const person of crowd.slice(1))
    succeeded(await person.post(`/messages/${news}/reactions`, { emoji_name: 'tada' }))
  succeeded(
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'hollow' }],
      invite_only: true,
      principals: [owner.id, member.id],
    }),
  )
  succeeded(
    await owner.post('/user_groups/create', {
      name: 'divers',
      description: '',
      members: [other.id],
      can_mention_group: only(admin),
    }),
  )
}

const here = deviceInOrganization('member', fill)

const asked = (content: string, before: string | null = null, topic = 'Calls') => ({
  ...here.account(),
  conversation: topicConversation(here.org.plaza, topic),
  content,
  before,
})
const facts = (...about: Parameters<typeof asked>) => here.device.ask('compose-facts', asked(...about))
const send = async (content: string, topic = 'Calls') =>
  (await here.org.member.post('/messages', { type: 'stream', to: here.org.plaza, topic, content })).status

test('whom a text notifies is what the service finds in it, and what it refuses is known', async () => {
  const until = (content: string, isWanted: (found: ComposeFacts) => boolean) =>
    here.device.until('compose-facts', asked(content), isWanted)
  // Once the topic's messages are here.
  await until('@**topic**', ({ crowd }) => crowd !== null)
  for (const [content, of] of [
    ['@**all** look', 'channel'],
    ['@**stream** look', 'channel'],
    ['@**topic** look', 'topic'],
    ['```spoiler A call\n@**all**\n```', 'channel'],
    ['@_**all** look', null],
    ['`@**all**` look', null],
    ['```\n@**all**\n```', null],
    ['> @**all**', null],
    ['```quote\n@**topic**\n```', null],
    ['mail@**all**', null],
  ] as const) {
    const { crowd } = await facts(content)
    expect([content, crowd?.of ?? null, crowd?.isAllowed]).toEqual([
      content,
      of,
      of === null ? undefined : false,
    ])
    expect([content, await send(content)]).toEqual([content, of === null ? 200 : 400])
  }
  expect((await facts('@**all**')).crowd?.count).toBe(21)
  expect((await facts('@**topic**', null, 'of nobody')).crowd).toBe(null)
  // Who reacted in a topic takes part in it.
  expect((await facts('@**topic**', null, 'News')).crowd).toEqual({
    of: 'topic',
    count: 16,
    isAllowed: false,
  })
  expect(await send('@**topic**', 'News')).toBe(400)
  succeeded(
    await here.org.owner.patch('/realm', { can_mention_many_users_group: { new: only(here.org.member) } }),
  )
  await until('@**all**', ({ crowd }) => crowd?.isAllowed === true)
  expect(await send('@**all**')).toBe(200)
  // Those whom an edited message has notified are not notified again.
  expect((await facts('@**all**, again', '@**all**')).crowd).toBe(null)
  expect((await facts('@**all**, at last', '@**topic**')).crowd).toMatchObject({ of: 'channel' })
})

test('people who are named outside the channel are known, unless the mention is silent or old', async () => {
  const outsiders = async (...about: Parameters<typeof asked>) =>
    (await facts(...about)).outsiders.map(({ fullName }) => fullName)
  const { guest, other } = here.org
  const name = `@**${guest.name}**`
  expect(await outsiders(`${name} and @**${other.name}**`)).toEqual([guest.name])
  expect(await outsiders(`\`\`\`spoiler Who\n${name}\n\`\`\``)).toEqual([guest.name])
  expect(await outsiders(`> ${name}`)).toEqual([])
  expect(await outsiders(`@_**${guest.name}**`)).toEqual([])
  expect(await outsiders(`${name}, again`, name)).toEqual([])
})

test('a private channel is known that is linked where somebody is not in it', async () => {
  const linked = async (...about: Parameters<typeof asked>) => (await facts(...about)).privateChannels
  expect(await linked('see #**hollow>plan** and #**plaza**, and #**hollow**')).toEqual(['hollow'])
  expect(await linked('`#**hollow**`')).toEqual([])
  expect(await linked('#**hollow**, again', '#**hollow**')).toEqual([])
  const { member, owner, other } = here.org
  const toldTo = async (person: Person) => {
    const conversation = directConversation([person.id], userId(member.id))
    return (await here.device.ask('compose-facts', { ...asked('#**hollow**'), conversation })).privateChannels
  }
  expect(await toldTo(other)).toEqual(['hollow'])
  expect(await toldTo(owner)).toEqual([])
})

test('a group that the person may not mention is named, and marked where it is offered', async () => {
  expect((await facts('@*divers* and @*Divers*')).barredGroups).toEqual(['divers'])
  expect((await facts('@_*divers* and `@*divers*`')).barredGroups).toEqual([])
  // An edit of such a message is refused too.
  expect((await facts('@*divers*', '@*divers*')).barredGroups).toEqual(['divers'])
  expect(await send('@*divers*')).toBe(400)
  expect(await send('@_*divers* and `@*divers*`')).toBe(200)
  const offered = await here.device.ask('suggestions', {
    ...here.account(),
    request: { kind: 'mention', text: 'div', conversation: null },
    limit: 5,
  })
  expect(offered).toMatchObject([{ kind: 'group', name: 'divers', mayMention: false }])
})

test('guests are marked, and warned of, unless the organization does not want it', () => {
  const directory = temporaryFolder(onTestFinished)
  const store = openStore(join(directory, 'account.db'), () => {})
  const context = { db: store.db, ownUserId: userId(1), now: 1_000 }
  const message = { sender_id: 2, sender_name: 'Bo' }
  const shown = () => ({
    isMarked: personById(context, userId(2)).isGuest,
    isMarkedAsSender: sendersOf(context, [message])(message).senderIsGuest,
    warnings: composeFacts(context, {
      conversation: directConversation([2], userId(1)),
      content: 'hello',
      before: null,
    }).guests.map(({ fullName }) => fullName),
  })
  store.write((db) =>
    putUser(db, {
      id: 2,
      email: 'bo@example.org',
      fullName: 'Bo',
      role: roles.guest,
      isBot: false,
      isActive: true,
      avatarUrl: null,
      timezone: '',
      botOwnerId: null,
      joinedAt: null,
      deliveryEmail: null,
      profile: '{}',
    }),
  )
  expect(shown()).toEqual({ isMarked: true, isMarkedAsSender: true, warnings: ['Bo'] })
  store.write((db) => putOrganizationValue(db, 'realm_enable_guest_user_indicator', false))
  expect(shown()).toEqual({ isMarked: false, isMarkedAsSender: false, warnings: ['Bo'] })
  store.write((db) => putOrganizationValue(db, 'realm_enable_guest_user_dm_warning', false))
  expect(shown()).toEqual({ isMarked: false, isMarkedAsSender: false, warnings: [] })
  store.close()
})
