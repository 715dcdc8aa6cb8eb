import fc from 'fast-check'
import { expect } from 'vitest'
import { userId } from '../../../src-shared/ids.ts'
import { directConversation, topicConversation } from '../../../src-shared/model/conversation.ts'
import type { DraftContent, DraftRecipient } from '../../../src-shared/model/draft.ts'
import { isAble } from '../../../src-shared/model/server-abilities.ts'
import { mergeDraft } from '../../../src-main/drafts/merge.ts'
import { draftFromApi, isBlank } from '../../../src-main/drafts/wire.ts'
import { settingsMissing } from '../../../src-main/store/account-settings.ts'
import { versionsOf } from '../../../src-main/store/draft-versions.ts'
import { allDrafts, type StoredDraft } from '../../../src-main/store/drafts.ts'
import { keptText } from '../../../src-main/store/as-kept.ts'
import type { ReadableDb } from '../../../src-main/store/database.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { draftsOf } from '../../../src-server/handlers/drafts.ts'
import { act, inWorld, roundMs, takeSteps } from './live-through.ts'
import {
  endMishaps,
  historyOf,
  mishaps,
  on,
  repeats,
  stepOf,
  type History,
  type Mishap,
  type Repeat,
  type StepKinds,
} from './mishaps.ts'
import type { ModelDevice } from './device.ts'
import type { World } from './world.ts'

/** Something that happens to a person's drafts, their devices or the network. Numbers wrap around what exists. */
export type DraftStep =
  | { do: 'write'; on: number; to: number }
  | {
      do: 'edit'
      on: number
      draft: number
      how: 'append' | 'prepend' | 'insert' | 'replace'
      at: number
      /** Whether the window does not show yet what arrived since its last key; false by default. */
      isBehind?: boolean
    }
  /** Appends a text that is longer than the server stores. */
  | { do: 'paste'; on: number; draft: number }
  | { do: 'readdress'; on: number; draft: number; to: number }
  | { do: 'leave'; on: number; draft: number }
  | { do: 'clear'; on: number; draft: number }
  | { do: 'delete'; on: number; draft: number }
  | { do: 'send'; on: number; draft: number }
  | { do: 'restore'; on: number; draft: number; version: number }
  | { do: 'resolve'; on: number; draft: number; keepBoth: boolean }
  | { do: 'switch'; on: number; keep: boolean }
  | Mishap
  | Repeat

/** What the person does. */
type OwnStep = Exclude<DraftStep, Mishap | Repeat>

export type DraftHistory = History<DraftStep>

const draft = fc.nat(3)
const hows = ['append', 'prepend', 'insert', 'replace'] as const

const kinds: StepKinds<DraftStep> = {
  write: [4, fc.record({ do: fc.constant('write'), on, to: fc.nat(2) })],
  edit: [
    9,
    fc.record({
      do: fc.constant('edit'),
      on,
      draft,
      how: fc.constantFrom(...hows),
      at: fc.nat(5),
      isBehind: fc.boolean(),
    }),
  ],
  paste: [1, fc.record({ do: fc.constant('paste'), on, draft })],
  readdress: [1, fc.record({ do: fc.constant('readdress'), on, draft, to: fc.nat(2) })],
  leave: [3, fc.record({ do: fc.constant('leave'), on, draft })],
  clear: [1, fc.record({ do: fc.constant('clear'), on, draft })],
  delete: [1, fc.record({ do: fc.constant('delete'), on, draft })],
  send: [2, fc.record({ do: fc.constant('send'), on, draft })],
  restore: [1, fc.record({ do: fc.constant('restore'), on, draft, version: fc.nat(3) })],
  resolve: [2, fc.record({ do: fc.constant('resolve'), on, draft, keepBoth: fc.boolean() })],
  switch: [1, fc.record({ do: fc.constant('switch'), on, keep: fc.boolean() })],
  ...mishaps,
  ...repeats,
}

/**
 * After these steps a word may be in versions only: another device ended the draft without having shown the word, or
 * the word is beyond the server's limit.
 */
const endings = ['clear', 'delete', 'send', 'restore', 'switch', 'paste'] as const

/** All kinds of steps. */
export const draftHistory = historyOf([2, 2, 2, 3, 3, 4, 5], stepOf(kinds))
/**
 * Nothing ends a draft, so every word must stay in one. There is no lost queue: one that dies during a save hides what
 * the save overwrites, which is then in the versions only.
 */
export const typingHistory = historyOf(
  [2, 2, 3],
  stepOf(kinds, [...endings, 'readdress', 'lose-queue', 'repeat'], { edit: 2, fault: 2 }),
)
/** Devices that overwrite each other's drafts on a network that loses answers. */
export const quarrelHistory = historyOf(
  [2, 2, 2, 3],
  stepOf(kinds, [...endings, 'skew', 'lose-queue', 'repeat'], { edit: 2, fault: 3, resolve: 3, kill: 2 }),
)

/** The drafts in a device's list. */
const visible = (device: ModelDevice): StoredDraft[] =>
  allDrafts(device.store.db)
    .filter(({ isDeleted }) => !isDeleted)
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))

const wordsOf = (text: string): string[] => text.match(/w\d+/g) ?? []

/** What the person knows: every word typed, and the words that they removed or sent themselves. */
interface Memory {
  words: number
  /** Words that were on a device's screen when the person removed, sent or resolved them there. */
  readonly retired: Set<string>
  readonly sent: string[]
  /** The text that each device's window showed of a draft after the last key there. */
  readonly windows: Map<string, string>
}

/** Runs a history, ends all faults, and checks the guarantees of drafts. */
export async function runDraftHistory(history: DraftHistory): Promise<void> {
  const { steps } = history
  const memory: Memory = { words: 0, retired: new Set(), sent: [], windows: new Map() }
  await inWorld(history, async (world) => {
    await world.pass(3_000)
    await takeSteps<OwnStep>(world, steps, (step) => {
      const words = memory.words
      try {
        take(world, memory, step)
      } catch (error) {
        // The person was told that these words were not saved.
        for (let word = words + 1; word <= memory.words; word++) memory.retired.add(`w${word}`)
        throw error
      }
    })
    await heal(world, memory)
    check(world, memory, !steps.some((step) => endings.some((ending) => ending === step.do)))
  })
}

const recipients = (world: World): DraftRecipient[] => [
  topicConversation(world.channelId, 'drift'),
  directConversation([world.other.user_id], userId(world.user.user_id)),
  null,
]

function take(world: World, memory: Memory, step: OwnStep): void {
  const device = world.devices[step.on % world.devices.length]
  if (device === undefined) return
  const { drafts, outbox } = device.account
  const list = visible(device)
  const chosen = 'draft' in step ? list[step.draft % Math.max(1, list.length)] : undefined
  const word = () => `w${++memory.words}`
  const retire = (text: string) => {
    for (const one of wordsOf(text)) memory.retired.add(one)
  }
  const to = (index: number) => recipients(world)[index % 3] ?? null
  switch (step.do) {
    case 'write':
      drafts.save(null, { recipient: to(step.to), content: `${word()} ${word()} ${word()}` })
      break
    case 'edit': {
      if (chosen === undefined) break
      const window = `${step.on % world.devices.length} ${chosen.id}`
      const basis = (step.isBehind ? memory.windows.get(window) : undefined) ?? chosen.local.content
      const words = basis.split(' ')
      const at = step.at % Math.max(1, words.length)
      if (step.how === 'append') words.push(word())
      else if (step.how === 'prepend') words.unshift(word())
      else if (step.how === 'insert') words.splice(at, 0, word())
      else retire(words.splice(at, 1, word()).join(' '))
      const typed = { ...chosen.local, content: words.join(' ') }
      memory.windows.set(window, drafts.save(chosen.id, typed, basis).content)
      break
    }
    case 'paste':
      if (chosen === undefined) break
      drafts.save(chosen.id, {
        ...chosen.local,
        content: `${chosen.local.content} ${'wave '.repeat(2_000)}${word()}`,
      })
      break
    case 'readdress':
      if (chosen !== undefined) drafts.save(chosen.id, { ...chosen.local, recipient: to(step.to) })
      break
    case 'leave':
      if (chosen !== undefined) drafts.leave(chosen.id)
      break
    case 'clear':
      if (chosen === undefined) break
      retire(chosen.local.content + (chosen.remote?.content ?? ''))
      drafts.save(chosen.id, { ...chosen.local, content: ' ' })
      break
    case 'delete':
      if (chosen === undefined) break
      retire(chosen.local.content + (chosen.remote?.content ?? ''))
      drafts.delete(chosen.id)
      break
    case 'send': {
      if (chosen === undefined || chosen.local.recipient === null || isBlank(chosen.local.content)) break
      retire(chosen.local.content)
      outbox.enqueue({
        name: 'send-message',
        conversation: chosen.local.recipient,
        content: chosen.local.content,
        draftId: chosen.id,
      })
      memory.sent.push(chosen.local.content)
      break
    }
    case 'restore': {
      if (chosen === undefined) break
      const versions = versionsOf(device.store.db, chosen.id)
      const version = versions[step.version % Math.max(1, versions.length)]
      if (version === undefined) break
      retire(chosen.local.content)
      drafts.restore(chosen.id, version.number)
      break
    }
    case 'resolve':
      resolve(device, memory, list.find(({ state }) => state === 'conflict') ?? chosen, step.keepBoth)
      break
    case 'switch':
      if (settingsMissing(device.store.db).includes('draftsSynchronized')) break
      act(device, { name: 'update-setting', property: 'draftsSynchronized', value: step.keep })
      break
  }
}

/** Resolves a conflict as a person would: with both texts where they differ, or as two drafts. */
function resolve(device: ModelDevice, memory: Memory, chosen: StoredDraft | undefined, keepBoth: boolean) {
  if (chosen?.state !== 'conflict' || chosen.remote === null) return
  if (keepBoth) {
    device.account.drafts.keepBoth(chosen.id)
    return
  }
  const { pieces } = mergeDraft(chosen.base, chosen.local, chosen.remote)
  const content = pieces
    .map((piece) => (piece.kind === 'joined' ? piece.text : `${piece.local} ${piece.remote}`))
    .join('')
  const shown = new Set(wordsOf(content))
  for (const word of wordsOf(`${chosen.local.content} ${chosen.remote.content}`)) {
    if (!shown.has(word)) memory.retired.add(word)
  }
  const merged = { recipient: chosen.local.recipient, content }
  device.account.drafts.resolve(chosen.id, merged, chosen.remote, chosen.local.content)
}

const mostRounds = 12

async function heal(world: World, memory: Memory): Promise<void> {
  endMishaps(world)
  let calm = 0
  for (let round = 0; round < mostRounds && calm < 2; round++) {
    await world.pass(roundMs)
    if (round === 0) await world.ask('PATCH', '/settings', 'enable_drafts_synchronization=true')
    for (const device of world.devices) {
      const conflict = visible(device).find(({ state }) => state === 'conflict')
      if (conflict === undefined) continue
      // A person uses one device at a time.
      resolve(device, memory, conflict, round % 2 === 1)
      break
    }
    calm = round > 0 && world.devices.every((device) => unsettled(world, device).length === 0) ? calm + 1 : 0
  }
}

const keepsDrafts = ({ workspace }: World) => isAble(workspace.featureLevel, 'drafts')

/** The drafts of a device that have not come to rest. */
const unsettled = (world: World, device: ModelDevice) => {
  const resting = keepsDrafts(world) ? 'synced' : 'local-only'
  return allDrafts(device.store.db).filter(({ state, isDeleted }) => state !== resting || isDeleted)
}

/** Equal for texts that are one draft: the service truncates long texts and trims the end, the device does not. */
const shape = ({ recipient, content }: DraftContent, db: ReadableDb) =>
  JSON.stringify([recipient, keptText(db, content)])

/** A message as the service stores it: every device knows the limit. */
function longestKept({ devices: [device] }: World, content: string): string {
  return device === undefined ? content : keptText(device.store.db, content)
}

function check(world: World, memory: Memory, nothingEnded: boolean): void {
  const { workspace, user } = world
  const kept = draftsOf(workspace, user.user_id).map((one) => ({
    id: one.id,
    content: draftFromApi(one, userId(user.user_id)),
  }))
  const live = new Set(kept.flatMap(({ content }) => wordsOf(content.content)))
  for (const [index, device] of world.devices.entries()) {
    expect(unsettled(world, device), `device ${index}: nothing is stuck`).toEqual([])
    const waiting = outboxRows(device.store.db)
    expect(waiting, `device ${index}: nothing waits`).toEqual([])
    const here = allDrafts(device.store.db)
    if (!keepsDrafts(world)) {
      const asked = device.requests.filter(({ path }) => path.startsWith('/drafts'))
      expect(asked, `device ${index}: nothing is asked of a service without drafts`).toEqual([])
      for (const { local } of here) for (const word of wordsOf(local.content)) live.add(word)
      continue
    }
    const shown = here.map(({ serverId, local }) => ({ id: Number(serverId), content: local }))
    const byId = (a: { id: number }, b: { id: number }) => a.id - b.id
    expect(
      shown.sort(byId).map(({ id, content }) => [id, shape(content, device.store.db)]),
      `device ${index}: shows what the service has`,
    ).toEqual(kept.sort(byId).map(({ id, content }) => [id, shape(content, device.store.db)]))
  }

  const contents = kept.map(({ content }) => JSON.stringify(content))
  expect([...new Set(contents)].sort(), 'no draft is there twice').toEqual([...contents].sort())

  const everywhere = new Set(live)
  for (const device of world.devices) {
    for (const { content } of device.store.db.all<{ content: string }>(
      'SELECT content FROM draft_versions UNION ALL SELECT content FROM drafts',
    )) {
      for (const word of wordsOf(content)) everywhere.add(word)
    }
  }
  const messages = workspace.db.all<{ content: string }>('SELECT content FROM messages')
  for (const { content } of messages) for (const word of wordsOf(content)) everywhere.add(word)
  const typed = Array.from({ length: memory.words }, (_, index) => `w${index + 1}`)
  expect(
    typed.filter((word) => !everywhere.has(word) && !memory.retired.has(word)),
    'every word is somewhere',
  ).toEqual([])
  if (nothingEnded) {
    expect(
      typed.filter((word) => !live.has(word) && !memory.retired.has(word)),
      'every word is still in a draft',
    ).toEqual([])
  }

  expect(messages.map(({ content }) => content).sort(), 'what was sent is there once').toEqual(
    memory.sent.map((content) => longestKept(world, content)).sort(),
  )
}
