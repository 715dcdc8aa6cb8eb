import { afterEach, expect, test } from 'vitest'
import { channelId, userId, type DraftId } from '../../../src-shared/ids.ts'
import { directConversation, topicConversation } from '../../../src-shared/model/conversation.ts'
import type { DraftRecipient } from '../../../src-shared/model/draft.ts'
import { linkToFile } from '../../../src-shared/model/outgoing-file.ts'
import { draftFromApi } from '../../../src-main/drafts/wire.ts'
import { versionsOf } from '../../../src-main/store/draft-versions.ts'
import { allDrafts, draftById } from '../../../src-main/store/drafts.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { draftsOf } from '../../../src-server/handlers/drafts.ts'
import type { Fault, ModelDevice } from './device.ts'
import { createWorld, type World } from './world.ts'

let world: World

afterEach(() => world.close())

const day = 24 * 60 * 60 * 1_000

async function open(deviceCount: number, featureLevel?: number): Promise<[ModelDevice, ModelDevice]> {
  world = await createWorld(deviceCount, featureLevel)
  await world.pass(3_000)
  const [first, second = first] = world.devices
  if (first === undefined || second === undefined) throw new Error('There is no device.')
  return [first, second]
}

const shown = (device: ModelDevice): string[] =>
  allDrafts(device.store.db)
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ local }) => local.content)
    .sort()
const kept = (): string[] =>
  draftsOf(world.workspace, world.user.user_id)
    .map(({ content }) => content)
    .sort()
const states = (device: ModelDevice) => [...new Set(allDrafts(device.store.db).map(({ state }) => state))]
const write = (device: ModelDevice, content: string, recipient: DraftRecipient = null) => {
  const { draftId } = device.account.drafts.save(null, { recipient, content })
  device.account.drafts.leave(draftId)
  return draftId
}
/** Deletes a draft and restores it while the deletion does not reach the service; then the queue is lost. */
const restoreUndeleted = async (device: ModelDevice, id: DraftId) => {
  const { drafts } = device.account
  device.faults.calls.push(...Array<Fault>(20).fill('lost-before'))
  drafts.delete(id)
  await world.pass(3_000)
  expect(draftById(device.store.db, id)).toMatchObject({ isDeleted: true, saving: null })
  const [newest] = versionsOf(device.store.db, id)
  drafts.restore(id, newest?.number ?? 0)
  device.loseQueue()
  device.faults.calls.length = 0
  await world.pass(120_000)
}
const keepDrafts = (device: ModelDevice, value: boolean) =>
  device.account.outbox.enqueue({ name: 'update-setting', property: 'draftsSynchronized', value })

test('drafts to a channel, to people and to nobody yet reach the other device as they are', async () => {
  const [first, second] = await open(2)
  const recipients: DraftRecipient[] = [
    topicConversation(world.channelId, 'drift'),
    directConversation([world.other.user_id], userId(world.user.user_id)),
    // A conversation with oneself.
    directConversation([], userId(world.user.user_id)),
    null,
  ]
  for (const [index, recipient] of recipients.entries()) write(first, `text ${index}`, recipient)
  await world.pass(3_000)
  const there = allDrafts(second.store.db)
    .map(({ local }) => local)
    .sort((a, b) => (a.content < b.content ? -1 : 1))
  expect(there).toEqual(recipients.map((recipient, index) => ({ recipient, content: `text ${index}` })))
  const own = userId(world.user.user_id)
  const onService = draftsOf(world.workspace, own).map((draft) => draftFromApi(draft, own))
  expect(onService.sort((a, b) => (a.content < b.content ? -1 : 1))).toEqual(there)
})

test('a thousand drafts are kept by both devices and the service, and survive a lost queue', async () => {
  const [first, second] = await open(2)
  const all = Array.from({ length: 1_000 }, (_, index) => `draft ${String(index).padStart(4, '0')}`)
  for (const content of all) write(first, content)
  await world.pass(60_000)
  expect(kept()).toEqual(all)
  expect(shown(second)).toEqual(all)
  second.loseQueue()
  await world.pass(120_000)
  expect(shown(second)).toEqual(all)
  expect(states(first)).toEqual(['synced'])
  expect(states(second)).toEqual(['synced'])
  // Three thousand requests may take long on a busy machine.
}, 240_000)

test('an edit that the server refuses leaves its draft there alone, and is not asked again before it changes', async () => {
  const [device] = await open(1)
  const recipient = topicConversation(world.channelId, 'drift')
  const id = write(device, 'one', recipient)
  await world.pass(5_000)
  const refusals = () =>
    device.requests.filter(({ path, outcome }) => path.startsWith('/drafts') && outcome === 400)
  // A channel that does not exist.
  device.account.drafts.save(id, { recipient: topicConversation(9_999, 'drift'), content: 'one and two' })
  await world.pass(600_000)
  expect(refusals()).toHaveLength(1)
  const refused = { content: 'one and two', reason: 'Invalid channel ID' }
  expect(allDrafts(device.store.db)).toMatchObject([{ state: 'edited', refusal: refused }])
  // The server may accept it by now: the draft is sent once more after a start, and shows the refusal until then.
  device.setConnected(false)
  device.restart()
  await world.pass(60_000)
  expect(allDrafts(device.store.db)).toMatchObject([{ state: 'edited', refusal: refused }])
  device.setConnected(true)
  await world.pass(600_000)
  expect(refusals()).toHaveLength(2)
  device.loseQueue()
  await world.pass(120_000)
  expect(refusals()).toHaveLength(3)
  expect(kept()).toEqual(['one'])
  expect(shown(device)).toEqual(['one and two'])
  device.account.drafts.save(id, { recipient, content: 'one and two' })
  await world.pass(10_000)
  expect(refusals()).toHaveLength(3)
  expect(kept()).toEqual(['one and two'])
  expect(allDrafts(device.store.db)).toMatchObject([{ state: 'synced', refusal: null }])
})

test('an edit of a draft that is gone from the server is created anew', async () => {
  const [device] = await open(1)
  const id = write(device, 'one')
  await world.pass(5_000)
  // Lost without an event, as after the server was restored from a backup.
  world.workspace.db.run('DELETE FROM drafts')
  device.account.drafts.save(id, { recipient: null, content: 'one and two' })
  await world.pass(20_000)
  expect(kept()).toEqual(['one and two'])
  expect(states(device)).toEqual(['synced'])
})

test('a burst of typing is one request, and who types on and on is heard of every five seconds', async () => {
  const [first, second] = await open(2)
  const id = write(first, 'begun')
  await world.pass(3_000)
  const saves = () =>
    first.requests.filter(({ method, path }) => method === 'PATCH' && path.startsWith('/drafts/'))
  let content = 'begun'
  const type = async (seconds: number) => {
    for (let tenths = 0; tenths < seconds * 10; tenths++) {
      const basis = content
      content += 'x'
      first.account.drafts.save(id, { recipient: null, content }, basis)
      await world.pass(100)
    }
  }
  await type(3)
  await world.pass(5_000)
  expect(saves()).toHaveLength(1)
  expect(shown(second)).toEqual([content])
  await type(21)
  expect(saves()).toHaveLength(1 + 4)
  await world.pass(5_000)
  expect(saves()).toHaveLength(1 + 4 + 1)
  expect(shown(second)).toEqual([content])
})

test('what another device added to a draft stays, though this one had not heard of it when it ended the draft', async () => {
  const [first, second] = await open(2)
  const id = write(first, 'low water')
  await world.pass(5_000)
  // Delays the current poll too.
  first.latency.events = 60_000
  const there = allDrafts(second.store.db)[0]?.id ?? null
  const { draftId } = second.account.drafts.save(there, { recipient: null, content: 'low water at six' })
  second.account.drafts.leave(draftId)
  await world.pass(1_000)
  expect([shown(first), kept()]).toEqual([['low water'], ['low water at six']])
  first.account.drafts.delete(id)
  await world.pass(1_000)
  first.latency.events = 0
  await world.pass(120_000)
  expect([shown(first), shown(second), kept()]).toEqual(Array(3).fill(['low water at six']))
})

test.each([
  ['elsewhere in it, that is joined', 'one theirs three four', 'one mine three four', null],
  ['at the same place, both are kept', 'one ours three', 'one mine three', 'one ours three'],
])(
  'if the other device writes %s with what the person chose in a conflict',
  async (_, writtenOn, local, remote) => {
    const [first, second] = await open(2)
    const id = write(first, 'one two three')
    await world.pass(5_000)
    const there = allDrafts(second.store.db)[0]?.id ?? null
    const save = (device: ModelDevice, draftId: DraftId | null, content: string) => {
      device.account.drafts.save(draftId, { recipient: null, content })
      if (draftId !== null) device.account.drafts.leave(draftId)
    }
    first.setConnected(false)
    save(first, id, 'one mine three')
    save(second, there, 'one theirs three')
    await world.pass(5_000)
    first.setConnected(true)
    await world.pass(60_000)
    const shownThen = draftById(first.store.db, id)?.remote
    expect(shownThen).toEqual({ recipient: null, content: 'one theirs three' })
    save(second, there, writtenOn)
    await world.pass(5_000)
    if (shownThen == null) throw new Error('There is no conflict.')
    first.account.drafts.resolve(
      id,
      { recipient: null, content: 'one mine three' },
      shownThen,
      'one mine three',
    )
    await world.pass(10_000)
    const now = draftById(first.store.db, id)
    expect([now?.local.content, now?.remote?.content ?? null]).toEqual([local, remote])
    expect(kept()).toEqual([remote ?? local])
  },
)

test.each([
  ['is told to wait', 'too-many', null],
  ['is refused', null, { kind: 'topic', channelId: channelId(1_000), topic: 'drift' }],
] as const)(
  'a draft that ends while its first save %s leaves nothing behind',
  async (_, fault, recipient) => {
    const [device] = await open(1)
    device.latency = { up: 500, down: 500, events: 0 }
    const id = write(device, 'low water', recipient)
    if (fault !== null) device.faults.calls.push(fault)
    await world.pass(200)
    expect(allDrafts(device.store.db)).toMatchObject([{ state: 'saving' }])
    device.account.drafts.delete(id)
    await world.pass(60_000)
    expect(kept()).toEqual([])
    expect(allDrafts(device.store.db)).toEqual([])
  },
)

test('a draft that one device sends while another goes on writing in it: the message is there once, and the new words stay', async () => {
  const [first, second] = await open(2)
  const recipient = topicConversation(world.channelId, 'drift')
  const id = write(first, 'reef the main', recipient)
  await world.pass(3_000)
  const [there] = allDrafts(second.store.db)
  if (there === undefined) throw new Error('The draft did not arrive.')
  second.account.drafts.save(there.id, { recipient, content: 'reef the main and the jib' }, 'reef the main')
  first.account.outbox.enqueue({
    name: 'send-message',
    conversation: recipient,
    content: 'reef the main',
    draftId: id,
  })
  await world.pass(10_000)
  const messages = world.workspace.db.all<{ content: string }>('SELECT content FROM messages')
  expect(messages).toEqual([{ content: 'reef the main' }])
  for (const list of [kept(), shown(first), shown(second)])
    expect(list).toEqual(['reef the main and the jib'])
})

test.each([
  ['is away', () => world.pass(0)],
  ['is away, and its queue is lost', () => world.devices[0]?.loseQueue()],
])(
  'what another device adds to a draft and saves, while the one that sends it %s, stays as a draft',
  async (_what, alsoHappens) => {
    const [first, second] = await open(2)
    const recipient = topicConversation(world.channelId, 'drift')
    const id = write(first, 'meet on Friday', recipient)
    await world.pass(5_000)
    first.setConnected(false)
    first.account.outbox.enqueue({
      name: 'send-message',
      conversation: recipient,
      content: 'meet on Friday',
      draftId: id,
    })
    const [there] = allDrafts(second.store.db)
    if (there === undefined) throw new Error('The draft did not arrive.')
    second.account.drafts.save(there.id, { recipient, content: 'meet on Friday, with lunch' })
    second.account.drafts.leave(there.id)
    await world.pass(5_000)
    await alsoHappens()
    first.setConnected(true)
    await world.pass(70_000)
    for (const list of [kept(), shown(first), shown(second)])
      expect(list).toEqual(['meet on Friday, with lunch'])
    expect(world.workspace.db.all<{ content: string }>('SELECT content FROM messages')).toEqual([
      { content: 'meet on Friday' },
    ])
    // Sent there too, it is gone everywhere.
    const [now] = allDrafts(second.store.db)
    second.account.drafts.delete(now?.id ?? there.id)
    await world.pass(10_000)
    for (const list of [kept(), shown(first), shown(second)]) expect(list).toEqual([])
  },
)

test.each(['sent', 'scheduled'])(
  'of a draft that both devices changed at the same place, what is not %s goes on as a draft',
  async (how) => {
    const [first, second] = await open(2)
    const conversation = topicConversation(world.channelId, 'drift')
    const draftId = write(first, 'light until dawn', conversation)
    await world.pass(3_000)
    const [there] = allDrafts(second.store.db)
    if (there === undefined) throw new Error('The draft did not arrive.')
    first.setConnected(false)
    first.account.drafts.save(draftId, { recipient: conversation, content: 'light until noon' })
    first.account.drafts.leave(draftId)
    second.account.drafts.save(there.id, { recipient: conversation, content: 'light until dusk' })
    second.account.drafts.leave(there.id)
    await world.pass(5_000)
    first.setConnected(true)
    await world.pass(70_000)
    expect(states(first)).toEqual(['conflict'])
    const content = 'light until noon'
    first.account.outbox.enqueue(
      how === 'sent'
        ? { name: 'send-message', conversation, content, draftId }
        : {
            name: 'schedule-message',
            conversation,
            content,
            draftId,
            sendAt: world.workspace.clock.now() + day,
          },
    )
    expect(shown(first)).toEqual(['light until dusk'])
    await world.pass(10_000)
    for (const list of [kept(), shown(first), shown(second)]) expect(list).toEqual(['light until dusk'])
    expect(states(first)).toEqual(['synced'])
    expect(states(second)).toEqual(['synced'])
  },
)

test('the same draft, made by both devices in the same moment, becomes one', async () => {
  const devices = await open(2)
  // Slow enough that each device creates its draft before it hears of the other's.
  for (const device of devices) device.latency = { up: 1_000, down: 1_000, events: 3_000 }
  for (const device of devices) write(device, 'reef the main')
  await world.pass(1_500)
  expect(kept()).toEqual(['reef the main', 'reef the main'])
  await world.pass(70_000)
  for (const list of [kept(), ...devices.map(shown)]) expect(list).toEqual(['reef the main'])
})

test('switched off, drafts of both devices stay where they are; switched on again, they come together', async () => {
  const [first, second] = await open(2)
  write(first, 'common')
  await world.pass(3_000)
  keepDrafts(first, false)
  await world.pass(3_000)
  expect(kept()).toEqual([])
  write(first, 'here')
  write(second, 'there')
  await world.pass(10_000)
  expect(kept()).toEqual([])
  expect(shown(first)).toEqual(['common', 'here'])
  expect(shown(second)).toEqual(['common', 'there'])
  expect(states(first)).toEqual(['local-only'])
  expect(states(second)).toEqual(['local-only'])

  keepDrafts(second, true)
  await world.pass(10_000)
  for (const list of [kept(), shown(first), shown(second)]) expect(list).toEqual(['common', 'here', 'there'])
  expect(states(first)).toEqual(['synced'])
  expect(states(second)).toEqual(['synced'])
})

const switchOnService = (value: boolean) =>
  world.ask('PATCH', '/settings', `enable_drafts_synchronization=${value}`)

test.each([true, false])(
  'a draft that was refused while drafts were switched off is saved when they are on (events were heard: %s)',
  async (isHeard) => {
    const [device] = await open(1)
    device.latency.events = 20_000
    await switchOnService(false)
    write(device, 'one')
    await world.pass(5_000)
    await switchOnService(true)
    if (!isHeard) device.loseQueue()
    await world.pass(60_000)
    expect(kept()).toEqual(['one'])
    expect(states(device)).toEqual(['synced'])
  },
)

test('a refusal that arrives after drafts were switched on again counts no more', async () => {
  const [device] = await open(1)
  Object.assign(device.latency, { up: 1_000, down: 12_000 })
  write(device, 'one')
  await world.pass(300)
  device.loseQueue()
  await switchOnService(false)
  await world.pass(900)
  // The service has refused the save; the new registration is on its way and will be answered before that.
  await switchOnService(true)
  device.latency.down = 0
  await world.pass(60_000)
  expect(kept()).toEqual(['one'])
  expect(states(device)).toEqual(['synced'])
})

test('a service without drafts is never asked for any, and they are kept on the device', async () => {
  const [device] = await open(1, 80)
  const id = write(device, 'only here')
  await world.pass(10_000)
  device.account.drafts.save(id, { recipient: null, content: 'only here, more' })
  device.restart()
  await world.pass(120_000)
  expect(shown(device)).toEqual(['only here, more'])
  expect(states(device)).toEqual(['local-only'])
  expect(device.requests.filter(({ path }) => path.startsWith('/drafts'))).toEqual([])
})

test('a draft that is restored before the server deleted it is one draft, whatever the server has of it by then', async () => {
  const [device] = await open(1)
  const id = write(device, 'low water')
  await world.pass(3_000)
  // The save is stored; its event takes long, and more is typed before the draft is deleted.
  const { drafts } = device.account
  drafts.save(id, { recipient: null, content: 'low water at six' })
  drafts.leave(id)
  device.latency.events = 2_000
  while (kept().includes('low water')) await world.pass(200)
  drafts.save(id, { recipient: null, content: 'low water at seven' })
  expect(draftById(device.store.db, id)?.saving?.content).toBe('low water at six')
  await restoreUndeleted(device, id)
  expect([shown(device), kept()]).toEqual([['low water at seven'], ['low water at seven']])
})

test('a draft in conflict that is restored before the server deleted it leaves the other version deleted', async () => {
  const [first, second] = await open(2)
  const id = write(first, 'low water')
  await world.pass(3_000)
  const [there] = allDrafts(second.store.db)
  if (there === undefined) throw new Error('The draft did not arrive.')
  second.account.drafts.save(there.id, { recipient: null, content: 'low tide' })
  second.account.drafts.leave(there.id)
  first.account.drafts.save(id, { recipient: null, content: 'low ebb' })
  await world.pass(2_000)
  expect(states(first)).toEqual(['conflict'])
  await restoreUndeleted(first, id)
  expect([shown(first), shown(second), kept()]).toEqual([['low ebb'], ['low ebb'], ['low ebb']])
})

test('every version can be brought back, also of a draft that was deleted, for thirty days', async () => {
  const [first, second] = await open(2)
  const id = write(first, 'first words')
  await world.pass(3_000)
  const [there] = allDrafts(second.store.db)
  if (there === undefined) throw new Error('The draft did not arrive.')
  second.account.drafts.save(there.id, { recipient: null, content: 'quite different' })
  second.account.drafts.leave(there.id)
  await world.pass(3_000)
  expect(shown(first)).toEqual(['quite different'])
  const versions = versionsOf(first.store.db, id)
  expect(versions.map(({ content, origin }) => [content, origin])).toEqual([
    ['quite different', 'elsewhere'],
    ['first words', 'here'],
  ])

  first.account.drafts.restore(id, 1)
  first.account.drafts.leave(id)
  await world.pass(3_000)
  expect(shown(second)).toEqual(['first words'])
  expect(kept()).toEqual(['first words'])
  expect(versionsOf(first.store.db, id).map(({ content }) => content)).toContain('quite different')

  first.account.drafts.delete(id)
  await world.pass(3_000)
  expect([...shown(first), ...shown(second), ...kept()]).toEqual([])
  await world.skip(29 * day)
  first.restart()
  await world.pass(3_000)
  first.account.drafts.restore(id, 1)
  first.account.drafts.leave(id)
  await world.pass(3_000)
  expect(shown(second)).toEqual(['first words'])

  // The draft is revived with its versions, however long ago it had ended.
  const stillThere = () => versionsOf(first.store.db, id).map(({ content }) => content)
  await world.skip(5 * day)
  first.restart()
  await world.pass(3_000)
  expect(stillThere()).toContain('quite different')

  first.account.drafts.delete(id)
  await world.pass(3_000)
  for (const days of [29, 1.5]) {
    expect(stillThere()).toContain('quite different')
    await world.skip(days * day)
    // The first restart learns the time, the second uses it.
    for (let restarts = 0; restarts < 2; restarts++) {
      first.restart()
      await world.pass(3_000)
    }
  }
  expect(stillThere()).toEqual([])
})

test('drafts for which a registration has no room are kept, changed and ended as the others are', async () => {
  const [first] = await open(1)
  const made = Array.from({ length: 1_003 }, (_, index) => ({
    type: '',
    to: [],
    topic: '',
    content: `draft ${index}`,
    timestamp: 1_700_000_000 + index,
  }))
  await world.ask('POST', '/drafts', `drafts=${encodeURIComponent(JSON.stringify(made))}`)
  await world.pass(60_000)
  expect(shown(first)).toEqual(kept())
  expect(shown(first)).toHaveLength(1_003)
  first.setConnected(false)
  const idOf = (content: string) =>
    draftsOf(world.workspace, world.user.user_id).find((one) => one.content === content)?.id ?? 0
  await world.ask('DELETE', `/drafts/${idOf('draft 1001')}`)
  const edited = JSON.stringify({ ...made[1_002], content: 'edited elsewhere' })
  await world.ask('PATCH', `/drafts/${idOf('draft 1002')}`, `draft=${encodeURIComponent(edited)}`)
  first.loseQueue()
  first.setConnected(true)
  await world.pass(120_000)
  expect(shown(first)).toEqual(kept())
  expect(shown(first)).toHaveLength(1_002)
}, 120_000)

test('a draft with a file is sent from the other device, and from here long after the file was uploaded', async () => {
  const [first, second] = await open(2)
  const recipient = topicConversation(world.channelId, 'drift')
  const onDevice = (device: ModelDevice) => allDrafts(device.store.db).map(({ local }) => local.content)
  first.setConnected(false)
  await world.pass(1_000)
  const fileId = first.account.files.begin('a.txt', 'text/plain', 3)
  first.account.files.append(fileId, Buffer.from('abc'))
  const [early, late] = [`see [a.txt](${linkToFile(fileId)})`, `again [a.txt](${linkToFile(fileId)})`]
  write(first, early, recipient)
  first.setConnected(true)
  await world.pass(60_000)
  const url = first.account.files.all[0]?.url ?? ''
  expect(url).toContain('/user_uploads/')
  expect(onDevice(second)).toEqual([`see [a.txt](${url})`])
  expect(onDevice(first)).toEqual([`see [a.txt](${url})`])
  // The version that was left says our address, so the server's is still known when that is needed again.
  await world.skip(31 * day)
  await world.pass(60_000)
  second.account.outbox.enqueue({
    name: 'send-message',
    conversation: recipient,
    content: onDevice(second)[0] ?? '',
    draftId: allDrafts(second.store.db)[0]?.id ?? null,
  })
  write(first, late, recipient)
  await world.pass(60_000)
  expect(onDevice(first)).toEqual([`again [a.txt](${url})`])
  expect(outboxRows(second.store.db)).toEqual([])
  expect(world.workspace.db.all('SELECT content FROM messages')).toEqual([{ content: `see [a.txt](${url})` }])
}, 120_000)
