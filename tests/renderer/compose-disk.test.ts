import { expect, test } from 'vitest'
import { FailureError } from '../../src-shared/failure.ts'
import { channelId, draftId } from '../../src-shared/ids.ts'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import type { Draft } from '../../src-shared/model/draft.ts'
import { ComposeText } from '../../src-renderer/state/writing/compose.svelte.ts'
import { calledBridge } from './called-bridge.ts'

const topic = { kind: 'topic', channelId: channelId(7), topic: 'drift' } as const

/** The engine's end, on a disk that has no room until a test makes some. */
function engineWithoutRoom() {
  const disk = { hasRoom: false, tries: 0, content: '' }
  const bridge = calledBridge(async (name, input) => {
    if (name !== 'save-draft') return null as never
    disk.tries++
    if (!disk.hasRoom)
      throw new FailureError({ kind: 'device', code: 'disk-full', message: 'The disk is full.' })
    disk.content = (input as { draft: { content: string } }).draft.content
    return { draftId: draftId('d1'), recipient: topic, content: disk.content } as never
  })
  return { disk, bridge }
}

test('words that the device did not take stay in the field and are saved when it does, without another key', async () => {
  const { disk, bridge } = engineWithoutRoom()
  const compose = new ComposeText(bridge, 'a', topic, 5)
  compose.text = 'the tube is wet'
  compose.typed()
  await expect.poll(() => disk.tries).toBeGreaterThan(2)
  expect(compose.problem).toBe('Not saved on this device yet. The words stay while this window is open.')
  expect(compose.text).toBe('the tube is wet')
  disk.hasRoom = true
  await expect.poll(() => disk.content).toBe('the tube is wet')
  await expect.poll(() => compose.problem).toBe(null)
})

test('words that the device did not take are in the next field for the same conversation, until it takes them', async () => {
  const { disk, bridge } = engineWithoutRoom()
  const left = ComposeText.open(bridge, 'b', topic)
  left.text = 'the tube is wet'
  left.typed()
  await left.leave()
  expect(ComposeText.open(bridge, 'b', { ...topic, topic: 'tubes' }).text).toBe('')
  expect(ComposeText.open(bridge, 'other', topic).text).toBe('')
  const opened = ComposeText.open(bridge, 'b', topic)
  // The engine has no draft.
  opened.follow(null)
  expect(opened.text).toBe('the tube is wet')
  disk.hasRoom = true
  await opened.save()
  expect(disk.content).toBe('the tube is wet')
  expect(ComposeText.open(bridge, 'b', topic)).not.toBe(opened)
})

test('words that the device did not take go along when they are addressed to somebody else', async () => {
  const { bridge } = engineWithoutRoom()
  const compose = ComposeText.open(bridge, 'e', topic)
  compose.text = 'the tube is wet'
  compose.typed()
  await compose.save()
  const next = { ...topic, topic: 'leeway' }
  compose.address(next)
  await compose.save()
  expect(ComposeText.open(bridge, 'e', next)).toBe(compose)
  expect(ComposeText.open(bridge, 'e', topic).text).toBe('')
})

test('words that the device did not take are not put aside for another draft', async () => {
  const { disk, bridge } = engineWithoutRoom()
  const compose = new ComposeText(bridge, 'c', topic)
  compose.text = 'the tube is wet'
  compose.typed()
  expect(await compose.putAside({ begins: true })).toBe(false)
  expect(compose.text).toBe('the tube is wet')
  disk.hasRoom = true
  expect(await compose.putAside({ begins: true })).toBe(true)
  expect([disk.content, compose.text]).toEqual(['the tube is wet', ''])
})

test.each([
  ['goes on with the text', true, 'the tube is wet again', ' again', 'the tube is wet'],
  ['is only a space', true, 'the tube is wet ', '', 'the tube is wet'],
  ['changes the text', true, 'the tube is we', '', 'the tube is we'],
  ['comes before another draft', false, 'the tube is wet again', '', 'the tube is wet again'],
])('what is typed while a draft is put aside: it %s', async (_what, begins, typed, next, kept) => {
  const saved: { draftId: string | null; content: string }[] = []
  let answer = () => {}
  const answered = new Promise<void>((done) => (answer = done))
  const bridge = calledBridge(async (name, input) => {
    // Nobody waits for what the other devices hear.
    if (name !== 'save-draft') return new Promise(() => {})
    const { draftId: id, draft } = input as { draftId: string | null; draft: { content: string } }
    saved.push({ draftId: id, content: draft.content })
    await answered
    return { draftId: draftId(id ?? `d${saved.length}`), recipient: topic, content: draft.content } as never
  })
  const compose = new ComposeText(bridge, 'f', topic, 5)
  compose.text = 'the tube is wet'
  compose.typed()
  const aside = compose.putAside({ begins })
  await expect.poll(() => saved.length).toBe(1)
  compose.text = typed
  compose.typed()
  answer()
  expect(await aside).toBe(true)
  expect([compose.text, compose.draftId]).toEqual([next, null])
  await compose.save()
  expect(saved.findLast((one) => one.content !== next)?.content).toBe(kept)
  const begun = saved.filter(({ draftId: id }) => id === null).map(({ content }) => content)
  expect(begun).toEqual(next === '' ? ['the tube is wet'] : ['the tube is wet', next])
})

test('a text that could not be sent is put aside all the same', async () => {
  const { disk, bridge } = engineWithoutRoom()
  disk.hasRoom = true
  const refusing: Bridge = {
    ...bridge,
    call: async (name, input) => {
      if (name === 'act')
        throw new FailureError({ kind: 'device', code: 'disk-full', message: 'The disk is full.' })
      return bridge.call(name, input)
    },
  }
  const compose = new ComposeText(refusing, 'g', topic)
  compose.text = 'the tube is wet'
  compose.typed()
  expect(await compose.send()).toBe(null)
  expect(compose.problem).not.toBe(null)
  expect(await compose.putAside({ begins: true })).toBe(true)
  expect([compose.text, compose.problem]).toEqual(['', null])
})

test('words that the device did not take are still to be saved by the field that takes them over', async () => {
  const { disk, bridge } = engineWithoutRoom()
  const one = new ComposeText(bridge, 'd', topic)
  one.follow({ id: draftId('d1'), recipient: topic, content: 'the tube' } as Draft)
  one.text = 'the tube is wet'
  one.typed()
  const other = new ComposeText(bridge, 'd', null, 5)
  other.takeOver(await one.handOver())
  disk.hasRoom = true
  await expect.poll(() => disk.content).toBe('the tube is wet')
})

test('what is written in place of a message while it goes into the outbox is the next one, and follows it', async () => {
  const sent: string[] = []
  const gates: (() => void)[] = []
  const bridge = calledBridge(async (name, input) => {
    if (name === 'save-draft')
      return {
        draftId: draftId('d1'),
        recipient: topic,
        content: (input as { draft: { content: string } }).draft.content,
      } as never
    if (name !== 'act') return null as never
    await new Promise<void>((resolve) => gates.push(resolve))
    sent.push((input as { action: { content: string } }).action.content)
    return { localId: `l${sent.length}` } as never
  })
  const compose = new ComposeText(bridge, 'a', topic, 5)
  const write = (text: string) => {
    compose.text = text
    compose.typed()
  }
  write('first')
  const first = compose.send()
  await expect.poll(() => gates.length).toBe(1)
  write('second')
  const second = compose.send()
  gates[0]?.()
  expect(await first).not.toBeNull()
  expect(compose.text).toBe('second')
  await expect.poll(() => gates.length).toBe(2)
  gates[1]?.()
  expect(await second).not.toBeNull()
  expect(sent).toEqual(['first', 'second'])
  expect(compose.text).toBe('')

  // The key twice for one message sends it once.
  write('third')
  const both = Promise.all([compose.send(), compose.send()])
  await expect.poll(() => gates.length).toBe(3)
  gates[2]?.()
  expect((await both).filter((id) => id !== null)).toHaveLength(1)
  expect(sent).toHaveLength(3)
})

const elsewhere = { kind: 'topic', channelId: channelId(7), topic: 'leeway' } as const

/** The engine's end, where the topic of the draft has got another name and the draft went along. */
function engineThatMoved() {
  const saved: { draft: { recipient: unknown; content: string }; addressed?: unknown }[] = []
  const bridge = calledBridge(async (name, input) => {
    if (name !== 'save-draft') return null as never
    const asked = input as (typeof saved)[number]
    saved.push(asked)
    return { draftId: draftId('d1'), content: asked.draft.content, recipient: elsewhere } as never
  })
  return { saved, bridge }
}
const shown = {
  id: draftId('d1'),
  recipient: topic,
  content: 'reef',
  label: null,
  cameFrom: null,
  lastElsewhere: null,
  state: 'synced',
  isOnServer: true,
  refusal: null,
  editedAt: 0,
  conflict: null,
} as const

test('a draft whose topic moved while it was typed in is let go of, with a word about it, and nothing is sent', async () => {
  const { saved, bridge } = engineThatMoved()
  const compose = new ComposeText(bridge, 'a', topic)
  const told: unknown[] = []
  compose.whenMoved((to) => told.push(to))
  compose.follow(shown)
  compose.text = 'reef the main'
  compose.typed()
  expect(await compose.send()).toBe(null)
  expect(saved).toMatchObject([{ draft: { recipient: topic, content: 'reef the main' }, addressed: topic }])
  expect(told).toEqual([elsewhere])
  expect([compose.text, compose.draftId]).toEqual(['', null])
})

test('what another device wrote meanwhile is seen before anything is sent, also by somebody who types on', async () => {
  const sent: string[] = []
  let type = () => {}
  const bridge = calledBridge(async (name, input) => {
    if (name === 'save-draft') {
      const { content } = (input as { draft: { content: string } }).draft
      type()
      const isMerged = content.endsWith('tonight')
      if (content === 'reef at six')
        return { draftId: draftId('d1'), recipient: topic, content, beginsConflict: true } as never
      return {
        draftId: draftId('d1'),
        recipient: topic,
        content: `${isMerged ? '' : 'Please '}${content}`,
      } as never
    }
    if (name === 'act') sent.push((input as { action: { content: string } }).action.content)
    return { localId: 'l1' } as never
  })
  const compose = new ComposeText(bridge, 'a', topic)
  const write = (text: string) => {
    compose.text = text
    compose.typed()
  }
  write('reef the main')
  expect(await compose.send()).toBe(null)
  expect(compose.text).toBe('Please reef the main')
  write('reef it')
  type = () => write('reef it now')
  expect(await compose.send()).toBe(null)
  type = () => {}
  // Both changed the same words: what was typed stays in the field, and the other version beside it.
  write('reef at six')
  expect(await compose.send()).toBe(null)
  expect(compose.text).toBe('reef at six')
  // That the person types on while words are saved as they are keeps nothing back.
  write('reef tonight')
  type = () => write('reef tonight and')
  expect(await compose.send()).toBe('l1')
  expect(sent).toEqual(['reef tonight'])
  type = () => {}
  await compose.leave()
})

test('a message whose recipients are being chosen goes along with its topic', async () => {
  const { saved, bridge } = engineThatMoved()
  const compose = new ComposeText(bridge, 'a', topic)
  compose.whenMoved((to) => compose.address(to))
  compose.follow(shown)
  compose.text = 'reef the main'
  compose.typed()
  await compose.save()
  await compose.save()
  expect(compose.text).toBe('reef the main')
  expect(compose.conversation).toEqual(elsewhere)
  expect(saved.at(-1)).toMatchObject({ draft: { recipient: elsewhere }, addressed: elsewhere })
})

test('what another device wrote is not undone where the text follows its topic while it is saved', async () => {
  const bases: unknown[] = []
  let answer = () => {}
  const answered = new Promise<void>((done) => (answer = done))
  const bridge = calledBridge(async (name, input) => {
    if (name !== 'save-draft') return null as never
    const { basis, draft } = input as { basis: unknown; draft: { content: string } }
    bases.push(basis)
    await answered
    return { draftId: draftId('d1'), recipient: topic, content: `${draft.content} and dry` } as never
  })
  const compose = new ComposeText(bridge, 'h', topic, 5)
  compose.text = 'the tube is wet'
  compose.typed()
  const saving = compose.save()
  await expect.poll(() => bases.length).toBe(1)
  compose.passOn({ ...topic, topic: 'leeway' })
  answer()
  await saving
  await compose.save()
  // What the device has more than this was written elsewhere.
  expect(bases).toEqual([null, 'the tube is wet'])
})

test('a recipient that is chosen while words are saved is saved too', async () => {
  const saved: unknown[] = []
  const bridge = calledBridge(async (name, input) => {
    if (name !== 'save-draft') return null as never
    const { draft } = input as { draft: { recipient: unknown; content: string } }
    saved.push(draft.recipient)
    if (saved.length === 1) compose.address(elsewhere)
    return { draftId: draftId('d1'), ...draft } as never
  })
  const compose = new ComposeText(bridge, 'a', topic)
  compose.text = 'reef'
  compose.typed()
  await compose.save()
  await compose.save()
  expect(saved).toEqual([topic, elsewhere])
})

test('while a text goes into the outbox, the conversation’s next draft does not take its place', async () => {
  const gates: (() => void)[] = []
  const bridge = calledBridge(async (name) => {
    if (name === 'save-draft')
      return { draftId: draftId('d2'), recipient: topic, content: 'the tube' } as never
    if (name === 'act') await new Promise<void>((resolve) => gates.push(resolve))
    return { localId: 'l1' } as never
  })
  const compose = new ComposeText(bridge, 'a', topic)
  compose.text = 'the tube'
  compose.typed()
  const sent = compose.send()
  await expect.poll(() => gates.length).toBe(1)
  const older = { id: draftId('d1'), recipient: topic, content: 'the tube is wet', conflict: null }
  compose.follow(older as unknown as Draft)
  gates[0]?.()
  await sent
  expect(compose.text).toBe('')
  expect(compose.draftId).toBe(null)
})
