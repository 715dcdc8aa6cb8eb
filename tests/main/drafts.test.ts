import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ActionInput } from '../../src-shared/bridge/actions.ts'
import { channelId, messageId } from '../../src-shared/ids.ts'
import type { DraftContent } from '../../src-shared/model/draft.ts'
import { formText, type Edited } from '../../src-shared/model/unsaved-edit.ts'
import { mergeDraft } from '../../src-main/drafts/merge.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

const text = (content: string): DraftContent => ({ recipient: null, content })
const words = fc
  .array(fc.constantFrom('tide', 'board', 'six', 'boat', 'ring', 'flats', '\n', 'Holm', 'north.'), {
    maxLength: 14,
  })
  .map((list) => list.join(' '))

describe('mergeDraft', () => {
  test('changes that do not touch are joined', () => {
    const merged = mergeDraft(
      text('one two three four five'),
      text('ONE two three four five'),
      text('one two three four FIVE'),
    )
    expect(merged).toMatchObject({ kind: 'clean', draft: { content: 'ONE two three four FIVE' } })
  })

  test('changes to the same word are a conflict with both texts', () => {
    const merged = mergeDraft(
      text('light until 17:30 today'),
      text('light until 17:10 today'),
      text('light until dusk today'),
    )
    expect(merged.kind).toBe('conflict')
    const piece = merged.pieces.find(({ kind }) => kind === 'conflict')
    expect(piece).toMatchObject({ number: 1 })
    expect(JSON.stringify(piece)).toContain('dusk')
  })

  test('laws hold for any texts', () => {
    fc.assert(
      fc.property(words, words, words, (base, left, right) => {
        const content = (l: string, r: string) => {
          const merged = mergeDraft(text(base), text(l), text(r))
          return merged.kind === 'clean' ? merged.draft.content : null
        }
        expect(content(left, base)).toBe(left)
        expect(content(base, right)).toBe(right)
        expect(content(left, left)).toBe(left)
      }),
      { numRuns: 2_000 },
    )
  })

  test('no word that a side added is lost', () => {
    fc.assert(
      fc.property(words, words, words, (base, left, right) => {
        const { pieces } = mergeDraft(text(base), text(left), text(right))
        const shown = pieces
          .map((piece) => (piece.kind === 'joined' ? piece.text : `${piece.local} ${piece.remote}`))
          .join(' ')
        const count = (all: string, word: string) =>
          all.split(/[^\p{L}\p{N}]+/u).filter((one) => one === word).length
        for (const word of new Set(`${left} ${right}`.split(/[^\p{L}\p{N}]+/u).filter(Boolean))) {
          const added = Math.max(count(left, word), count(right, word)) - count(base, word)
          if (added > 0) expect(count(shown, word), word).toBeGreaterThanOrEqual(1)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('drafts on two devices', () => {
  let service: TestService
  let own: number
  let first: Device
  let second: Device
  let recipient: { kind: 'topic'; channelId: ReturnType<typeof channelId>; topic: string }

  beforeEach(async () => {
    service = await startService()
    const maren = service.createUser('Maren Aske')
    const channel = service.createChannel('gauges', [maren.userId])
    own = maren.userId
    recipient = { kind: 'topic', channelId: channelId(channel), topic: 'drift' }
    first = await openDevice(service.baseUrl, maren)
    second = await openDevice(service.baseUrl, maren)
    await first.until('sync-state', { accountId: first.accountId }, ({ status }) => status === 'synced')
    await second.until('sync-state', { accountId: second.accountId }, ({ status }) => status === 'synced')
  })

  afterEach(async () => {
    await first.close()
    await second.close()
    await service.close()
  })

  const write = async (device: Device, draftId: string | null, content: string) => {
    const { accountId } = device
    const saved = await device.bridge.call('save-draft', {
      accountId,
      draftId,
      draft: { recipient, content },
    })
    await device.bridge.call('leave-draft', { accountId, draftId: saved.draftId })
    return saved.draftId
  }
  const shows = (device: Device, content: string) =>
    device.until('drafts', { accountId: device.accountId }, (list) =>
      list.some((draft) => draft.content === content && draft.state === 'synced'),
    )

  test('a draft written on one appears on the other, once', async () => {
    await write(first, null, '**I take**\n\n* two packs')
    await shows(first, '**I take**\n\n* two packs')
    const there = await shows(second, '**I take**\n\n* two packs')
    expect(there.map(({ beginning }) => beginning)).toEqual(['I take two packs'])
    expect(service.database.all('SELECT * FROM drafts')).toHaveLength(1)
  })

  test('one that the server refuses says why, until it is changed', async () => {
    const { accountId } = first
    const away = { ...recipient, channelId: channelId(9_999) }
    const save = (draftId: string | null, to: typeof recipient) =>
      first.bridge.call('save-draft', { accountId, draftId, draft: { recipient: to, content: 'Six boats.' } })
    const { draftId } = await save(null, away)
    await first.bridge.call('leave-draft', { accountId, draftId })
    const [refused] = await first.until('drafts', { accountId }, ([one]) => one?.refusal != null)
    expect(refused).toMatchObject({ state: 'edited', isOnServer: false, refusal: 'Invalid channel ID' })
    await first.until('sidebar', { accountId }, ({ needsYouCount }) => needsYouCount === 1)
    await save(draftId, recipient)
    const [changed] = await first.until('drafts', { accountId }, ([one]) => one?.label?.kind === 'topic')
    expect(changed?.refusal).toBeNull()
    await first.until('sidebar', { accountId }, ({ needsYouCount }) => needsYouCount === 0)
    await first.bridge.call('leave-draft', { accountId, draftId })
    await shows(first, 'Six boats.')
  })

  test('what the server refused is offered again once it took another text, and once by the next start', async () => {
    const { accountId } = first
    const save = async (draftId: string | null, to: number, content: string) => {
      const draft = { recipient: { ...recipient, channelId: channelId(to) }, content }
      const saved = await first.bridge.call('save-draft', { accountId, draftId, draft })
      await first.bridge.call('leave-draft', { accountId, draftId: saved.draftId })
      return saved.draftId
    }
    /** Saves a draft that the server refuses at first. Then the channel is created, which gets the next id. */
    const refusedAtFirst = async (to: number, content: string) => {
      const id = await save(null, to, content)
      await first.until('drafts', { accountId }, (all) =>
        all.some((one) => one.id === id && one.refusal !== null),
      )
      expect(service.createChannel(`number ${to}`, [])).toBe(to)
      return id
    }
    const next = recipient.channelId + 1
    const id = await refusedAtFirst(next, 'Six boats.')
    await save(id, next, 'Seven boats.')
    await shows(first, 'Seven boats.')
    await save(id, next, 'Six boats.')
    await shows(first, 'Six boats.')
    await refusedAtFirst(next + 1, 'Eight oars.')
    await first.restart()
    await shows(first, 'Eight oars.')
  })

  test('changes that do not touch are joined, changes that do are kept as a conflict and can be resolved', async () => {
    const here = await write(first, null, 'one two three four five')
    const [there] = await shows(second, 'one two three four five')
    await service.stop()
    await write(first, here, 'ONE two three four five')
    await write(second, there?.id ?? '', 'one two three four FIVE')
    await service.start()
    await shows(first, 'ONE two three four FIVE')
    await shows(second, 'ONE two three four FIVE')

    await service.stop()
    await write(first, here, 'ONE two mine four FIVE')
    await write(second, there?.id ?? '', 'ONE two theirs four FIVE')
    await service.start()
    const conflicted = await Promise.race([
      first
        .until('drafts', { accountId: first.accountId }, (list) =>
          list.some(({ state }) => state === 'conflict'),
        )
        .then((list) => ({ device: first, list })),
      second
        .until('drafts', { accountId: second.accountId }, (list) =>
          list.some(({ state }) => state === 'conflict'),
        )
        .then((list) => ({ device: second, list })),
    ])
    const draft = conflicted.list.find(({ state }) => state === 'conflict')
    expect(JSON.stringify(draft?.conflict)).toContain('mine')
    expect(JSON.stringify(draft?.conflict)).toContain('theirs')
    const { accountId, bridge } = conflicted.device
    const draftId = draft?.id ?? ''
    const use = (content: string) =>
      bridge.call('resolve-draft-conflict', {
        accountId,
        draftId,
        resolution: {
          kind: 'use',
          draft: { recipient, content },
          shown: draft?.conflict?.remote ?? { recipient, content: '' },
          own: draft?.conflict?.local.content ?? '',
        },
      })
    const typed = draft?.content.replace('ONE', 'UNO') ?? ''
    await write(conflicted.device, draftId, typed)
    // What was typed after the merged text was made overlaps with it: both are kept.
    const { draft: again } = await use('EINS two both four FIVE')
    expect(again?.content).toBe(typed)
    // Once the answer to a save that is under way is there.
    await conflicted.device.until(
      'drafts',
      { accountId },
      ([one]) => one?.conflict?.remote.content === 'EINS two both four FIVE',
    )
    // Otherwise it is joined with it.
    await bridge.call('resolve-draft-conflict', {
      accountId,
      draftId,
      resolution: {
        kind: 'use',
        draft: { recipient, content: 'ONE two both four FIVE' },
        shown: { recipient, content: 'EINS two both four FIVE' },
        own: draft?.content ?? '',
      },
    })
    await shows(first, 'UNO two both four FIVE')
    await shows(second, 'UNO two both four FIVE')
  })

  test('what is typed on top of a text that changed meanwhile is joined with the change, or both are kept', async () => {
    const id = await write(first, null, 'one two three four five')
    const [there] = await shows(second, 'one two three four five')
    await write(second, there?.id ?? '', 'one two three four FIVE')
    await shows(first, 'one two three four FIVE')
    const type = (content: string) =>
      first.bridge.call('save-draft', {
        accountId: first.accountId,
        draftId: id,
        draft: { recipient, content },
        basis: 'one two three four five',
      })
    // When these words were typed, the window did not show FIVE yet.
    expect(await type('ONE two three four five')).toMatchObject({
      content: 'ONE two three four FIVE',
      beginsConflict: false,
    })
    await first.bridge.call('leave-draft', { accountId: first.accountId, draftId: id })
    await shows(second, 'ONE two three four FIVE')
    await shows(first, 'ONE two three four FIVE')

    expect(await type('one two three four six')).toMatchObject({ beginsConflict: true })
    const [kept] = await first.ask('drafts', { accountId: first.accountId })
    expect(kept).toMatchObject({ state: 'conflict', content: 'one two three four six' })
    expect(JSON.stringify(kept?.conflict)).toContain('FIVE')

    // Chosen in another window, which was a few keys behind.
    const choose = (content: string, own: string, shown: string) =>
      first.bridge.call('resolve-draft-conflict', {
        accountId: first.accountId,
        draftId: id,
        resolution: {
          kind: 'use',
          draft: { recipient, content },
          shown: { recipient, content: shown },
          own,
        },
      })
    const friday = 'ONE two three four Friday'
    const { draft: still } = await choose(friday, 'one two three four s', 'ONE two three four FIVE')
    expect(still).toMatchObject({ content: 'one two three four six' })
    expect(still?.conflict?.remote.content).toBe(friday)
    const { draft: then } = await choose('ONE two three four SIX', 'one two three four', friday)
    expect(then).toMatchObject({ content: 'ONE two three four SIX six', conflict: null })
  })

  test('a draft written while the service is away is there after a restart and reaches the other device', async () => {
    await service.stop()
    await write(first, null, 'written in the tunnel')
    await first.restart()
    const [kept] = await first.ask('drafts', { accountId: first.accountId })
    expect(kept?.content).toBe('written in the tunnel')
    await service.start()
    await shows(second, 'written in the tunnel')
    expect(service.database.all('SELECT * FROM drafts')).toHaveLength(1)
  })

  test('sending a draft takes it away from both devices', async () => {
    const id = await write(first, null, 'send me')
    await shows(second, 'send me')
    await first.bridge.call('act', {
      accountId: first.accountId,
      action: { name: 'send-message', conversation: recipient, content: 'send me', draftId: id },
    })
    await second.until('drafts', { accountId: second.accountId }, (list) => list.length === 0)
    await expect.poll(() => service.database.all('SELECT * FROM messages')).toHaveLength(1)
  })

  test('drafts that were deleted, emptied or ended elsewhere are listed and come back; sent ones are not', async () => {
    const { accountId } = first
    const ended = () => first.ask('ended-drafts', { accountId })
    const gone = await write(first, null, 'a deleted one')
    await shows(second, 'a deleted one')
    await first.bridge.call('delete-draft', { accountId, draftId: gone })
    const there = await second.until('ended-drafts', { accountId: second.accountId }, ([one]) => one != null)
    expect(there).toMatchObject([{ content: 'a deleted one', recipient, label: { topic: 'drift' } }])

    const emptied = await write(first, null, '**light** until dusk')
    await write(first, emptied, 'light until noon')
    // Erased from its end, as by a held key.
    for (const content of ['light until', 'light', 'l', '']) await write(first, emptied, content)
    const sent = await write(first, null, 'send me')
    await shows(second, 'send me')
    await first.bridge.call('act', {
      accountId,
      action: { name: 'send-message', conversation: recipient, content: 'send me', draftId: sent },
    })
    expect((await ended()).map(({ content, hasOthers }) => [content, hasOthers])).toEqual([
      ['light until noon', true],
      ['a deleted one', false],
    ])

    const [last] = await ended()
    const restored = await first.bridge.call('restore-draft-version', {
      accountId,
      draftId: emptied,
      number: last?.number ?? 0,
    })
    expect(restored).toEqual({ draftId: emptied, recipient, content: 'light until noon' })
    // The text of a draft comes back where the draft is now, from a box that shows it.
    const elsewhere = { ...recipient, topic: 'rota' }
    const draft = { recipient: elsewhere, content: 'moor at noon' }
    const { draftId } = await first.bridge.call('save-draft', { accountId, draftId: emptied, draft })
    const back = { accountId, draftId, number: last?.number ?? 0 }
    expect(await first.bridge.call('restore-draft-version', back)).toEqual({
      draftId: emptied,
      recipient: elsewhere,
      content: 'light until noon',
    })
    expect((await ended()).map(({ content }) => content)).toEqual(['a deleted one'])
    await shows(second, 'light until noon')
  })

  test('one whose message or schedule is discarded is listed as deleted', async () => {
    const { accountId } = first
    await service.stop()
    await first.until('sync-state', { accountId }, ({ status }) => status === 'offline')
    const discard = async (draftId: string, action: ActionInput) => {
      await first.bridge.call('act', { accountId, action })
      expect((await first.ask('ended-drafts', { accountId })).map(({ id }) => id)).not.toContain(draftId)
      const [item] = await first.ask('outbox', { accountId })
      await first.bridge.call('discard-outbox-item', { accountId, localId: item?.localId ?? '' })
    }
    const message = await write(first, null, 'send me')
    const to = { conversation: recipient, content: 'send me' }
    await discard(message, { name: 'send-message', ...to, draftId: message })
    const later = await write(first, null, 'send me later')
    const sendAt = Date.now() + 3_600_000
    await discard(later, {
      name: 'schedule-message',
      ...to,
      content: 'send me later',
      draftId: later,
      sendAt,
    })
    const listed = async () => (await first.ask('ended-drafts', { accountId })).map(({ content }) => content)
    expect(await listed()).toEqual(['send me later', 'send me'])
    // Discarded by mistake: it is scheduled again, and counts as sent.
    const again = {
      name: 'schedule-message',
      ...to,
      content: 'send me later',
      draftId: later,
      sendAt,
    } as const
    const { localId } = await first.bridge.call('act', { accountId, action: again })
    expect(await listed()).toEqual(['send me'])

    // Its words were changed while it waited, which its draft does not know.
    const content = 'send me much later'
    await first.bridge.call('change-waiting', {
      accountId,
      localId,
      change: { name: 'schedule-message', content, sendAt },
    })
    expect(await first.bridge.call('discard-outbox-item', { accountId, localId })).toEqual({ draftId: later })
    expect(await listed()).toEqual([content, 'send me'])
    // It never was a draft.
    const reply = { name: 'send-message', conversation: recipient, content: 'aye', draftId: null } as const
    const sent = await first.bridge.call('act', { accountId, action: reply })
    await first.bridge.call('discard-outbox-item', { accountId, localId: sent.localId })
    const [last] = await first.ask('ended-drafts', { accountId })
    expect(last).toMatchObject({ content: 'aye', recipient })
    await first.bridge.call('restore-draft-version', {
      accountId,
      draftId: last?.id ?? '',
      number: last?.number ?? 0,
    })
    expect((await first.ask('drafts', { accountId })).map((draft) => draft.content)).toEqual(['aye'])
  })

  test('one that is restored before the server has deleted it keeps its versions and is not listed any more', async () => {
    const { accountId } = first
    const id = await write(first, null, 'low water')
    await shows(first, 'low water')
    await write(first, id, 'low water at six')
    await shows(first, 'low water at six')
    await service.stop()
    await first.bridge.call('delete-draft', { accountId, draftId: id })
    const [ended] = await first.ask('ended-drafts', { accountId })
    const { draftId } = await first.bridge.call('restore-draft-version', {
      accountId,
      draftId: id,
      number: ended?.number ?? 0,
    })
    expect(draftId).not.toBe(id)
    await write(first, draftId, 'low water at seven')
    expect(await first.ask('ended-drafts', { accountId })).toEqual([])
    const versions = await first.ask('draft-versions', { accountId, draftId })
    expect(new Set(versions.map(({ content }) => content))).toEqual(
      new Set(['low water at seven', 'low water at six', 'low water']),
    )
    await service.start()
    await shows(first, 'low water at seven')
    expect(await first.ask('ended-drafts', { accountId })).toEqual([])
  })

  test('what was begun about a message is a draft once the message is deleted', async () => {
    const { accountId, bridge } = first
    const sent = [1, 2].map((n) => service.send(own, Number(recipient.channelId), 'drift', `Reading ${n}`))
    const keep = (edited: Edited, content: string) =>
      bridge.call('keep-edit', { accountId, edited, edit: { text: content, previous: null } })
    const [gone, there] = sent
    await keep(`message ${gone}`, 'Reading one')
    await keep(`report ${gone}`, formText({ reason: 'other', words: 'It is wrong.' }))
    await keep(`new-reminder ${gone}`, formText({ moment: '2026-06-01T09:00', note: '' }))
    await keep(`answer ${there}`, formText({ text: 'Tern' }))
    await second.bridge.call('act', {
      accountId: second.accountId,
      action: { name: 'delete-message', messageId: messageId(Number(gone)) },
    })
    await shows(first, 'Reading one')
    await shows(first, 'It is wrong.')
    expect((await first.ask('drafts', { accountId })).length).toBe(2)
    expect((await first.ask('unsaved-edits', { accountId })).map(({ edited }) => edited)).toEqual([
      `answer ${there}`,
    ])
  })

  test('with synchronizing switched off, what is on this device stays here', async () => {
    await write(first, null, 'keep me')
    await shows(first, 'keep me')
    await first.bridge.call('act', {
      accountId: first.accountId,
      action: { name: 'update-setting', property: 'draftsSynchronized', value: false },
    })
    await expect.poll(() => service.database.all('SELECT * FROM drafts').length).toBe(0)
    expect((await first.ask('drafts', { accountId: first.accountId })).map(({ content }) => content)).toEqual(
      ['keep me'],
    )
  })
})
