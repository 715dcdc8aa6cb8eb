import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { channelId, userId } from '../../src-shared/ids.ts'
import type { ActionInput, WaitingChange } from '../../src-shared/bridge/actions.ts'
import type { Suggestion, SuggestionRequest } from '../../src-shared/bridge/suggestion.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let device: Device
let laterMs = 0
let plaza: number
let owner: { email: string; apiKey: string }
const ids: Record<string, number> = {}
/** A place in which names begin with other names. */
const exact = { channel: 0 }

beforeAll(async () => {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  ids['maren'] = maren.userId
  for (const name of ['Keiko Tamura', 'Odhrán Kelly', 'Ines Faria', 'Ingrid Øst', 'Kelda Marsh'])
    ids[name.split(' ')[0] ?? ''] = service.createUser(name).userId
  ids['twin'] = service.createUser('Ines Faria ').userId
  plaza = service.createChannel('plaza', [maren.userId, ids['Keiko'] ?? 0, ids['Kelda'] ?? 0])
  service.createChannel('Plan b', [maren.userId])
  service.createChannel('elsewhere', [])
  ids['far'] = service.createChannel('away', [ids['Keiko'] ?? 0])
  service.send(ids['Keiko'] ?? 0, plaza, 'gauge drift', 'first')
  service.send(ids['Keiko'] ?? 0, plaza, '✔ gauge swap', 'done')
  service.send(ids['Kelda'] ?? 0, plaza, 'ferry', 'newest')
  service.send(ids['Keiko'] ?? 0, plaza, 'logger gauge', 'newer')
  const annika = service.createUser('Annika Bell').userId
  service.createUser('Ann')
  ids['Lind'] = service.createUser('Runa Lind').userId
  ids['Runa'] = service.createUser('Runa Berg').userId
  owner = service.createUser('Olga Owner', 100)
  service.createChannel('design', [])
  exact.channel = service.createChannel('design-ops', [maren.userId, annika])
  for (const name of ['release', '✔ ferry', 'ferry times'])
    service.send(annika, exact.channel, name, 'older than the others')
  for (let n = 8; n > 0; n--) service.send(annika, exact.channel, `release 2.${n}`, 'newer')
  device = await openDevice(service.baseUrl, maren, undefined, () => Date.now() + laterMs)
  await device.until('sync-state', { accountId: device.accountId }, ({ status }) => status === 'synced')
  await device.until(
    'channel-topics',
    { accountId: device.accountId, channelId: channelId(plaza), limit: 9 },
    ({ topics }) => topics.length === 4,
  )
})

afterAll(async () => {
  await device?.close()
  await service?.close()
})

const asOwner = (path: string, method: 'PATCH' | 'DELETE', fields: Record<string, string> = {}) =>
  fetch(`${service.baseUrl}${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${owner.email}:${owner.apiKey}`)}` },
    ...(method === 'PATCH' && { body: new URLSearchParams(fields) }),
  })
const topic = (name: string): Conversation & { kind: 'topic' } => ({
  kind: 'topic',
  channelId: channelId(plaza),
  topic: name,
})
const suggestionsFor = async (request: SuggestionRequest, limit = 8) =>
  (await device.ask('suggestions', { accountId: device.accountId, request, limit })).map(nameOf)
const nameOf = (one: Suggestion) =>
  one.kind === 'person'
    ? one.person.fullName
    : one.kind === 'channel'
      ? `#${one.channel.name}`
      : one.kind === 'topic'
        ? one.displayName
        : `${one.kind}:${one.name}`
const mention = (text: string, conversation: Conversation | null = topic('gauge drift'), limit = 8) =>
  suggestionsFor({ kind: 'mention', text, conversation }, limit)

describe('suggestions', () => {
  test('who wrote in the topic comes first, then who is in the channel, then everybody', async () => {
    const feed = { accountId: device.accountId, around: 'newest', before: 30, after: 0 } as const
    await device.until(
      'feed',
      { ...feed, narrow: { kind: 'combined' } },
      ({ messages }) => messages.length === 15,
    )
    expect((await mention('ke'))[0]).toBe('Keiko Tamura')
    expect((await mention('ke', topic('ferry')))[0]).toBe('Kelda Marsh')
    const all = await mention('', topic('gauge drift'), 12)
    expect(all.indexOf('Keiko Tamura')).toBeLessThan(all.indexOf('Kelda Marsh'))
    expect(all.indexOf('Kelda Marsh')).toBeLessThan(all.indexOf('Ingrid Øst'))
  })

  test('names are found by any word, without accents and whatever the case', async () => {
    expect(await mention('odhran')).toEqual(['Odhrán Kelly'])
    expect(await mention('OST')).toEqual(['Ingrid Øst'])
    expect(await mention('ing o')).toEqual(['Ingrid Øst'])
    expect(await mention('zzz')).toEqual([])
    expect(await mention("x' OR 1=1 --%_")).toEqual([])
  })

  test('wildcards stand where they mean something, and say whom they reach', async () => {
    expect(await mention('top')).toEqual(['wildcard:topic'])
    expect(await mention('top', { kind: 'direct', userIds: [userId(ids['Keiko'] ?? 0)] })).toEqual([])
    const found = await device.ask('suggestions', {
      accountId: device.accountId,
      request: { kind: 'mention', text: 'everyone', conversation: topic('gauge drift') },
      limit: 8,
    })
    expect(found).toEqual([{ kind: 'wildcard', name: 'everyone', reach: 3 }])
  })

  test('recipients are not offered twice', async () => {
    const chosen = [userId(ids['Keiko'] ?? 0)]
    expect(await suggestionsFor({ kind: 'recipient', text: 'ke', chosen })).toEqual([
      'Kelda Marsh',
      'Odhrán Kelly',
    ])
  })

  test('channels of one come before the others', async () => {
    expect(await suggestionsFor({ kind: 'channel', text: 'pl', toWriteIn: false })).toEqual([
      '#plaza',
      '#Plan b',
    ])
    expect((await suggestionsFor({ kind: 'channel', text: '', toWriteIn: true })).at(-1)).toBe('#elsewhere')
  })

  test('topics begin with what is typed, the newest first, resolved ones last', async () => {
    const found = (text: string) => suggestionsFor({ kind: 'topic', text, channelId: channelId(plaza) })
    expect(await found('gau')).toEqual(['gauge drift', '✔ gauge swap', 'logger gauge'])
    expect(await found('')).toEqual(['logger gauge', 'ferry', 'gauge drift', '✔ gauge swap'])
    expect(await found('rift')).toEqual(['gauge drift'])
  })

  test('an exact name comes first, however much is newer, pinned or closer', async () => {
    const { channel } = exact
    const topics = (text: string, limit = 7) =>
      suggestionsFor({ kind: 'topic', text, channelId: channelId(channel) }, limit)
    expect((await topics('Release'))[0]).toBe('release')
    expect((await topics('release 2.1'))[0]).toBe('release 2.1')
    // A resolved topic of that name is closer than one whose name only begins so.
    expect((await topics('ferry'))[0]).toBe('✔ ferry')
    expect((await suggestionsFor({ kind: 'channel', text: 'Design', toWriteIn: false }, 1))[0]).toBe(
      '#design',
    )
    expect((await suggestionsFor({ kind: 'recipient', text: 'ann', chosen: [] }, 1))[0]).toBe('Ann')
    const inTopic: Conversation = { kind: 'topic', channelId: channelId(channel), topic: 'release 2.1' }
    expect((await mention('ann', inTopic, 1))[0]).toBe('Ann')
  })

  test('who has left is found as the author of a message, after the others', async () => {
    await asOwner(`/users/${ids['Runa']}`, 'DELETE')
    const people = {
      accountId: device.accountId,
      request: { kind: 'author', text: 'runa' } as const,
      limit: 9,
    }
    await device.until('suggestions', people, (found) =>
      found.some((one) => one.kind === 'person' && !one.person.isActive),
    )
    expect(await suggestionsFor({ kind: 'author', text: 'run' })).toEqual(['Runa Lind', 'Runa Berg'])
    expect(await suggestionsFor({ kind: 'author', text: 'runa b' })).toEqual(['Runa Berg'])
    expect(await suggestionsFor({ kind: 'recipient', text: 'runa b', chosen: [] })).toEqual([])
  })

  test('a mention says whom it means if anybody else has that name, also in other case or deactivated', async () => {
    const request = { kind: 'mention', text: 'runa', conversation: null } as const
    const people = { accountId: device.accountId, request, limit: 9 }
    const named = (all: readonly Suggestion[]) =>
      all.map((one) => (one.kind === 'person' ? [one.person.fullName, one.hasNamesake] : []))
    expect(named(await device.ask('suggestions', people))).toEqual([['Runa Lind', false]])
    await asOwner(`/users/${ids['Lind']}`, 'PATCH', { full_name: 'runa BERG' })
    const found = await device.until('suggestions', people, (all) => nameOf(all[0]!) === 'runa BERG')
    expect(named(found)).toEqual([['runa BERG', true]])
  })

  test('who is named but not in the channel is known before sending', async () => {
    const { outsiders } = await device.ask('compose-facts', {
      accountId: device.accountId,
      conversation: topic('gauge drift'),
      content: `@**Keiko Tamura** @**Ingrid Øst** @**Ines Faria|${ids['Ines']}** @**Nobody**`,
      before: null,
    })
    expect(outsiders.map(({ fullName }) => fullName)).toEqual(['Ingrid Øst', 'Ines Faria'])
  })

  test('nobody counts as outside a channel before all of its subscribers are known', async () => {
    const { accountId } = device
    // A registration lists nobody for a channel that the person is not in.
    const inside = { kind: 'topic', channelId: channelId(ids['far'] ?? 0), topic: 'ebb' } as const
    const facts = () =>
      device.ask('compose-facts', {
        accountId,
        conversation: inside,
        content: '@**Keiko Tamura** @**Ingrid Øst**',
        before: null,
      })
    const offered = async () => {
      const request = { kind: 'mention', text: 'ing', conversation: inside } as const
      return (await device.ask('suggestions', { accountId, request, limit: 8 })).map((one) =>
        one.kind === 'person' ? [one.person.fullName, one.isOutside] : [],
      )
    }
    expect(await facts()).toMatchObject({ outsiders: [], lacksSubscribers: true })
    expect(await offered()).toEqual([['Ingrid Øst', false]])
    await device.bridge.call('load-subscribers', { accountId, channelId: inside.channelId })
    const { outsiders, lacksSubscribers } = await facts()
    expect(outsiders.map(({ fullName }) => fullName)).toEqual(['Ingrid Øst'])
    expect(lacksSubscribers).toBe(false)
    expect(await offered()).toEqual([['Ingrid Øst', true]])
  })
})

describe('undoing a send', () => {
  const send = async (content: string) => {
    const { localId } = await device.bridge.call('act', {
      accountId: device.accountId,
      action: { name: 'send-message', conversation: topic('undo'), content, draftId: null },
    })
    return localId
  }
  const undo = (localId: string) => device.bridge.call('undo-send', { accountId: device.accountId, localId })
  const onServer = () =>
    service.database
      .all<{ content: string }>("SELECT content FROM messages WHERE topic = 'undo'")
      .map(({ content }) => content)
  const draft = () =>
    device.ask('conversation-draft', { accountId: device.accountId, conversation: topic('undo') })

  test('what the server has is deleted there and is a draft again', async () => {
    const localId = await send('too early')
    await expect.poll(onServer).toEqual(['too early'])
    await undo(localId)
    expect((await draft())?.content).toBe('too early')
    await expect.poll(onServer).toEqual([])
    await expect(undo(localId)).rejects.toMatchObject({ failure: { code: 'TOO_LATE' } })
  })

  test('what somebody may have read for a while stays', async () => {
    const localId = await send('read by now')
    await expect.poll(onServer).toEqual(['read by now'])
    laterMs = 60_000
    await expect(undo(localId)).rejects.toMatchObject({ failure: { code: 'TOO_LATE' } })
    expect(onServer()).toEqual(['read by now'])
    laterMs = 0
    await undo(localId)
    await expect.poll(onServer).toEqual([])
  })

  test('what has not left never leaves', async () => {
    await service.stop()
    const localId = await send('never sent')
    await undo(localId)
    expect((await draft())?.content).toBe('never sent')
    await service.start()
    await device.until(
      'sync-state',
      { accountId: device.accountId },
      ({ status, waiting }) => status === 'synced' && waiting === 0,
    )
    expect(onServer()).toEqual([])
  })
})

test('a snippet is kept once, also when it waits', async () => {
  const { accountId } = device
  await service.stop()
  await device.untilOffline()
  const { localId } = await device.bridge.call('act', {
    accountId,
    action: { name: 'save-snippet', title: 'Tables', content: 'In the hut.' },
  })
  expect((await device.ask('outbox', { accountId })).map(({ title }) => title)).toEqual(['Snippet: Tables'])
  // It can be inserted at once, and is changed where it waits.
  const change = (to: WaitingChange) =>
    device.bridge.call('change-waiting', { accountId, localId, change: to })
  expect(await change({ name: 'save-snippet', title: 'Tables', content: 'In the shed.\n' })).toMatchObject({
    isChanged: true,
  })
  expect(await change({ name: 'remind-me', at: 1, note: '' })).toMatchObject({ isChanged: false })
  const [waiting] = await device.ask('snippets', { accountId })
  expect(waiting).toMatchObject({ snippetId: null, title: 'Tables', content: 'In the shed.\n' })
  expect(waiting?.waiting).not.toBe(null)
  const counts: number[] = []
  const stop = device.bridge.watch('snippets', { accountId }, (all) => counts.push(all.length))
  await service.start()
  const [there] = await device.until(
    'snippets',
    { accountId },
    ([first]) => first !== undefined && first.snippetId !== null,
  )
  stop()
  expect(Math.max(...counts)).toBe(1)
  await device.until('outbox', { accountId }, (all) => all.length === 0)
  expect(service.database.all('SELECT content FROM saved_snippets')).toEqual([{ content: 'In the shed.' }])
  // What the server has is changed there.
  const late = { name: 'save-snippet', title: 'Tables', content: 'No.' } as const
  expect(await change(late)).toEqual({ isChanged: false, serverId: there?.snippetId })
  await device.restart()
  await expect(change(late)).rejects.toMatchObject({ failure: { code: 'NOT_WAITING' } })
})

test('a snippet is changed and deleted, also while nobody answers', async () => {
  const { accountId } = device
  const act = (action: ActionInput) => device.bridge.call('act', { accountId, action })
  const settled = () => device.until('outbox', { accountId }, (all) => all.length === 0)
  const onServer = () => service.database.all('SELECT title, content FROM saved_snippets ORDER BY title')
  await act({ name: 'save-snippet', title: 'Rota', content: 'Who is on?' })
  const kept = await device.until('snippets', { accountId }, (all) =>
    all.some(({ title, snippetId }) => title === 'Rota' && snippetId !== null),
  )
  await settled()
  const idOf = (wanted: string) => kept.find(({ title }) => title === wanted)?.snippetId ?? 0
  await service.stop()
  const rota = { name: 'change-snippet', snippetId: idOf('Rota') } as const
  const tables = { snippetId: idOf('Tables'), title: 'Tables' }
  // All of them before any is sent.
  await Promise.all([
    act({ ...rota, title: 'Rota', content: 'first' }),
    act({ ...rota, title: 'Watch', content: 'Who is on watch?' }),
    act({ name: 'change-snippet', ...tables, content: 'In the shed.' }),
    act({ name: 'delete-snippet', ...tables }),
  ])
  // The changes apply here at once; of two changes of one snippet, one remains.
  expect(await device.ask('snippets', { accountId })).toMatchObject([
    { title: 'Watch', content: 'Who is on watch?' },
  ])
  expect((await device.ask('outbox', { accountId })).map(({ title }) => title)).toEqual([
    'Snippet changed: Watch',
    'Snippet changed: Tables',
    'Snippet deleted: Tables',
  ])
  await service.start()
  await settled()
  expect(onServer()).toEqual([{ title: 'Watch', content: 'Who is on watch?' }])
  // The deletion of something already gone succeeds.
  await act({ name: 'delete-snippet', ...tables })
  await settled()
  await act({ name: 'delete-snippet', snippetId: idOf('Rota'), title: 'Watch' })
  await settled()
  expect(onServer()).toEqual([])
  expect(await device.ask('snippets', { accountId })).toEqual([])
})

test('the words of a refused snippet become a draft, or stay with the deleted drafts', async () => {
  const { accountId } = device
  // Too long for this server.
  const content = 'Who is on? '.repeat(1_000).trim()
  const words = `Rota\n\n${content}`
  const refuse = async (action: ActionInput) => {
    await device.bridge.call('act', { accountId, action })
    const [one] = await device.until('outbox', { accountId }, ([one]) => one?.state.state === 'refused')
    expect(one).toMatchObject({ action: action.name, contentMarkdown: words })
    return { accountId, localId: one!.localId }
  }
  const create = { name: 'save-snippet', title: 'Rota', content } as const
  const discard = async (action: ActionInput) =>
    (await device.bridge.call('discard-outbox-item', await refuse(action))).draftId
  const discarded = [await discard(create)]
  await device.bridge.call('act', { accountId, action: { ...create, content: 'Nobody.' } })
  const [kept] = await device.until('snippets', { accountId }, ([one]) => (one?.snippetId ?? null) !== null)
  const snippetId = kept?.snippetId ?? 0
  discarded.push(await discard({ ...create, name: 'change-snippet', snippetId }))
  const ended = await device.ask('ended-drafts', { accountId })
  for (const id of discarded) expect(ended.find((one) => one.id === id)).toMatchObject({ content: words })
  const taken = await device.bridge.call('take-back-message', await refuse(create))
  const draft = await device.ask('draft', { accountId, draftId: taken.draftId })
  expect(draft).toMatchObject({ recipient: null, content: words })
  await device.bridge.call('act', { accountId, action: { name: 'delete-snippet', snippetId, title: 'Rota' } })
  await device.until('outbox', { accountId }, (all) => all.length === 0)
})

describe('sending later', () => {
  const schedule = (content: string, sendAt: number, draftId: string | null = null) =>
    device.bridge.call('act', {
      accountId: device.accountId,
      action: { name: 'schedule-message', conversation: topic('later'), content, draftId, sendAt },
    })
  afterEach(async () => {
    const { accountId, bridge } = device
    for (const { scheduledId } of await device.ask('scheduled', { accountId })) {
      if (scheduledId !== null)
        await bridge.call('act', { accountId, action: { name: 'cancel-scheduled', scheduledId } })
    }
    await device.until('outbox', { accountId }, (all) => all.length === 0)
  })
  const soon = () => Date.now() + 3_600_000
  const goOffline = async () => {
    await service.stop()
    await device.untilOffline()
  }
  const waiting = () =>
    service.workspace.db.all<{ content: string }>('SELECT content FROM scheduled_messages')

  test('a message waits on the server until its time, its draft ends, and it can be cancelled', async () => {
    const { accountId } = device
    const { draftId } = await device.bridge.call('save-draft', {
      accountId,
      draftId: null,
      draft: { recipient: topic('later'), content: 'good **morning**' },
    })
    const sendAt = soon()
    await schedule('good **morning**', sendAt, draftId)
    const [message] = await device.until('scheduled', { accountId }, (all) => all[0]?.scheduledId != null)
    expect(message).toMatchObject({
      conversation: topic('later'),
      content: 'good **morning**',
      text: 'good morning',
      sendAt: Math.round(sendAt / 1_000) * 1_000,
      hasFailed: false,
    })
    expect(await device.ask('conversation-drafts', { accountId, conversation: topic('later') })).toEqual([])
    await device.bridge.call('act', {
      accountId,
      action: { name: 'cancel-scheduled', scheduledId: message?.scheduledId ?? 0 },
    })
    expect(await device.ask('scheduled', { accountId })).toEqual([])
    await device.until('outbox', { accountId }, (all) => all.length === 0)
    expect(waiting()).toEqual([])
  })

  test('what was put off while the service was away is there once, and can be taken back before', async () => {
    const { accountId } = device
    await service.stop()
    await schedule('kept', soon())
    const { localId } = await schedule('taken back', soon())
    const { draftId } = await device.bridge.call('take-back-message', { accountId, localId })
    expect((await device.ask('draft', { accountId, draftId }))?.content).toBe('taken back')
    await service.start()
    await device.until('scheduled', { accountId }, (all) => all.length === 1 && all[0]?.scheduledId != null)
    expect(await device.ask('outbox', { accountId })).toEqual([])
    expect(waiting().map(({ content }) => content)).toEqual(['kept'])
  })

  test('its words and its time can be changed offline, and once it is over there it is gone here', async () => {
    const { accountId, bridge } = device
    await schedule('low water at six', soon())
    const [message] = await device.until('scheduled', { accountId }, (all) => all[0]?.scheduledId != null)
    const scheduledId = message?.scheduledId ?? 0
    const change = (content: string | null, sendAt: number | 'now' | null) =>
      bridge.call('act', {
        accountId,
        action: { name: 'edit-scheduled', scheduledId, conversation: topic('later'), content, sendAt },
      })
    await goOffline()
    const later = Math.round(soon() / 1_000) * 1_000 + 60_000
    await change('low water at seven', null)
    await change(null, later)
    // Both changes are merged into one.
    expect(await device.ask('outbox', { accountId })).toHaveLength(1)
    expect(await device.ask('scheduled', { accountId })).toMatchObject([
      { scheduledId, content: 'low water at seven', sendAt: later, state: { state: 'waiting' } },
    ])
    await service.start()
    await device.until('scheduled', { accountId }, (all) => all[0]?.state === null)
    const kept = 'SELECT content, deliver_at AS at FROM scheduled_messages'
    expect(service.workspace.db.all(kept)).toEqual([{ content: 'low water at seven', at: later / 1_000 }])

    // "Now" is a few seconds later on the server, so that the message is neither lost nor sent twice.
    await change(null, 'now')
    await device.until('outbox', { accountId }, (all) => all.length === 0)
    const [row] = service.workspace.db.all<{ at: number }>(kept)
    expect((row?.at ?? 0) - Date.now() / 1_000).toBeLessThan(20)
  })

  test('what is to be sent at once leaves at once, although the clock of this device is hours behind', async () => {
    const { accountId, bridge } = device
    try {
      laterMs = -3 * 3_600_000
      await goOffline()
      await service.start()
      await device.until('sync-state', { accountId }, ({ status }) => status === 'synced')
      await schedule('high water', soon())
      const [message] = await device.until('scheduled', { accountId }, (all) => all[0]?.scheduledId != null)
      await bridge.call('act', {
        accountId,
        action: {
          name: 'edit-scheduled',
          scheduledId: message?.scheduledId ?? 0,
          conversation: topic('later'),
          content: null,
          sendAt: 'now',
        },
      })
      await device.until('outbox', { accountId }, (all) => all.length === 0)
      const [row] = service.workspace.db.all<{ at: number }>(
        'SELECT deliver_at AS at FROM scheduled_messages',
      )
      expect(Math.abs((row?.at ?? 0) - Date.now() / 1_000)).toBeLessThan(20)
    } finally {
      laterMs = 0
    }
  })

  test('what the server does not know yet is changed where it waits, or taken back', async () => {
    const { accountId, bridge } = device
    await goOffline()
    const { localId } = await schedule('first words', soon())
    const sendAt = soon() + 5_000
    expect(
      await bridge.call('change-waiting', {
        accountId,
        localId,
        change: { name: 'schedule-message', content: 'second words', sendAt },
      }),
    ).toEqual({ isChanged: true, serverId: null })
    expect(await device.ask('scheduled', { accountId })).toMatchObject([
      { scheduledId: null, localId, content: 'second words', sendAt, state: { state: 'waiting' } },
    ])
    expect((await device.ask('sidebar', { accountId })).scheduledCount).toBe(1)
    await service.start()
    await device.until('scheduled', { accountId }, (all) => all[0]?.scheduledId != null)
    expect(waiting().map(({ content }) => content)).toEqual(['second words'])
  })

  test('words for a message that was sent meanwhile come back as a draft', async () => {
    const { accountId, bridge } = device
    await schedule('before', soon())
    const [message] = await device.until('scheduled', { accountId }, (all) => all[0]?.scheduledId != null)
    await goOffline()
    const { localId } = await bridge.call('act', {
      accountId,
      action: {
        name: 'edit-scheduled',
        scheduledId: message?.scheduledId ?? 0,
        conversation: topic('later'),
        content: 'too late',
        sendAt: null,
      },
    })
    await service.start()
    service.workspace.db.run('DELETE FROM scheduled_messages')
    await device.until('outbox', { accountId }, (all) => all[0]?.state.state === 'refused')
    const { draftId } = await bridge.call('take-back-message', { accountId, localId })
    expect((await device.ask('draft', { accountId, draftId }))?.content).toBe('too late')
    await bridge.call('delete-draft', { accountId, draftId })
  })
})
