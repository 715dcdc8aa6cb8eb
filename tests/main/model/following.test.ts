import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { userId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import type { DraftContent } from '../../../src-shared/model/draft.ts'
import { draftFromApi } from '../../../src-main/drafts/wire.ts'
import { allDrafts } from '../../../src-main/store/drafts.ts'
import { topicsInDoubt } from '../../../src-main/store/topics-in-doubt.ts'
import { draftsOf } from '../../../src-server/handlers/drafts.ts'
import { checkHistories } from './check.ts'
import { inWorld, roundMs, takeSteps } from './live-through.ts'
import {
  endMishaps,
  historyOf,
  mishaps,
  on,
  someDevices,
  stepOf,
  type History,
  type Mishap,
  type StepKinds,
} from './mishaps.ts'
import type { ModelDevice } from './device.ts'
import { newestLevel, type World } from './world.ts'

/** Something that happens to topics, or that is written for them. Numbers wrap around what exists. */
type FollowStep =
  /** A new draft for the topic, under the name that the device knows. */
  | { do: 'write'; on: number; topic: number }
  | { do: 'type'; on: number; draft: number }
  /** Another person gives the whole topic an unused name. */
  | { do: 'rename'; topic: number }
  | { do: 'hear'; topic: number }
  | Mishap

/** What people do. */
type OwnStep = Exclude<FollowStep, Mishap>

type FollowHistory = History<FollowStep>

const file = 'tests/main/model/following.test.ts'
const topicCount = 3
const topic = fc.nat(topicCount - 1)
const kinds: StepKinds<FollowStep> = {
  write: [8, fc.record({ do: fc.constant('write'), on, topic })],
  type: [4, fc.record({ do: fc.constant('type'), on, draft: fc.nat(3) })],
  rename: [6, fc.record({ do: fc.constant('rename'), topic })],
  hear: [2, fc.record({ do: fc.constant('hear'), topic })],
  ...mishaps,
}
const followHistory = historyOf(someDevices, stepOf(kinds, [], { disconnect: 2, 'lose-queue': 5 }))

interface Memory {
  /** The names of the topics. */
  readonly names: string[]
  /** The topic for which the person wrote each text, by the text's first word. */
  readonly written: Map<string, number>
  renames: number
}

async function runFollowHistory(history: FollowHistory): Promise<void> {
  const { devices, steps } = history
  // An older service has no drafts, and a draft is then on the device where it was written only.
  const level = Math.max(history.level ?? newestLevel, 87)
  const memory: Memory = { names: ['drift', 'rope', 'sail'], written: new Map(), renames: 0 }
  await inWorld({ devices, level, steps }, async (world) => {
    await world.pass(3_000)
    for (const name of memory.names) await hear(world, name)
    await world.pass(1_000)
    await takeSteps<OwnStep>(world, steps, (step) => take(world, memory, step))
    endMishaps(world)
    for (let round = 0; round < 6; round++) await world.pass(roundMs)
    check(world, memory)
  })
}

const hear = (world: World, name: string) =>
  world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=${name}&content=word`, world.other)

async function take(world: World, memory: Memory, step: OwnStep): Promise<void> {
  const { names, written } = memory
  if (step.do === 'hear') {
    await hear(world, names[step.topic] ?? '')
    return
  }
  if (step.do === 'rename') {
    names[step.topic] = `name${++memory.renames}`
    await world.ask(
      'PATCH',
      // The first messages are one per topic.
      `/messages/${step.topic + 1}`,
      `topic=${names[step.topic]}&propagate_mode=change_all`,
      world.other,
    )
    return
  }
  const device = world.devices[step.on % world.devices.length]
  if (device === undefined) return
  const { drafts } = device.account
  if (step.do === 'type') {
    const list = allDrafts(device.store.db).filter(({ isDeleted }) => !isDeleted)
    const draft = list[step.draft % Math.max(1, list.length)]
    if (draft === undefined || draft.state === 'conflict') return
    drafts.save(draft.id, { ...draft.local, content: `${draft.local.content} on` }, draft.local.content)
    return
  }
  const name = knownName(device, step.topic + 1)
  if (name === null) return
  const token = `d${written.size}`
  const { draftId } = drafts.save(null, {
    recipient: topicConversation(world.channelId, name),
    content: `${token} word`,
  })
  written.set(token, step.topic)
  drafts.leave(draftId)
}

const knownName = ({ store }: ModelDevice, messageId: number): string | null =>
  store.db.get<{ topic: string }>(
    'SELECT topic FROM conversations JOIN messages USING (conversation_id) WHERE message_id = ?',
    [messageId],
  )?.topic ?? null

function check(world: World, { names, written }: Memory): void {
  const own = userId(world.user.user_id)
  const onService = draftsOf(world.workspace, own).map((draft) => draftFromApi(draft, own))
  const byDevice = world.devices.map(({ store }) => allDrafts(store.db).map(({ local }) => local))
  for (const list of [onService, ...byDevice]) {
    const places = (all: readonly DraftContent[]) =>
      all
        .map(({ recipient, content }) => [
          content.split(' ')[0],
          recipient?.kind === 'topic' ? recipient.topic : null,
        ])
        .sort()
    expect(places(list)).toEqual([...written].map(([token, number]) => [token, names[number]]).sort())
  }
  for (const { store } of world.devices) expect(topicsInDoubt(store.db)).toEqual([])
}

test('a draft is where its topic is, whoever was away when that moved', async () => {
  await checkHistories(file, followHistory, runFollowHistory, 60)
}, 3_600_000)

describe('histories that once went wrong', () => {
  const histories: Record<string, FollowHistory> = {
    'a device that hears late of two moves does not take the draft back to the first': {
      devices: 2,
      steps: [
        { do: 'write', on: 0, topic: 2 },
        { do: 'slow', on: 0, up: 0, down: 0, events: 300 },
        { do: 'rename', topic: 2 },
        { do: 'rename', topic: 2 },
        { do: 'pass', ms: 0 },
      ],
    },
    'a draft that a busy server makes after a new registration is not made twice': {
      devices: 1,
      steps: [
        { do: 'fault', on: 0, fault: 'lost-during', poll: false },
        { do: 'write', on: 0, topic: 0 },
        { do: 'lose-queue', on: 0 },
        { do: 'type', on: 0, draft: 0 },
        { do: 'skew', on: 0, ms: -86_400_000 },
      ],
    },
  }
  histories[
    'a draft that was typed in meanwhile is not taken back by a save that a busy server comes to late'
  ] = {
    devices: 2,
    steps: [
      { do: 'write', on: 0, topic: 2 },
      { do: 'fault', on: 0, fault: 'lost-during', poll: false },
      { do: 'rename', topic: 2 },
      { do: 'type', on: 1, draft: 0 },
      { do: 'rename', topic: 2 },
      { do: 'disconnect', on: 0 },
    ],
  }
  test.each(Object.entries(histories))('%s', async (_name, history) => {
    await runFollowHistory(history)
  })
})
