import { describe, expect, test } from 'vitest'
import type { Action } from '../../../src-shared/bridge/actions.ts'
import { channelId } from '../../../src-shared/ids.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { topicVisibility } from '../../../src-main/store/topic-visibility.ts'
import { checkHistories } from './check.ts'
import {
  choiceHistory,
  disputeHistory,
  runChoiceHistory,
  soloChoices,
  type ChoiceHistory,
} from './choices-history.ts'
import { createMovingWorld, movingIn } from './moving.ts'

const file = 'tests/main/model/choices.test.ts'

test('whatever happens to devices and network, every device shows the choices that the service has', async () => {
  await checkHistories(`${file} -t 'whatever happens'`, choiceHistory, runChoiceHistory, 45)
}, 3_600_000)

test('what one device chooses comes out as the person left it', async () => {
  await checkHistories(`${file} -t 'one device'`, soloChoices, runChoiceHistory, 60)
}, 3_600_000)

test('what is chosen here and elsewhere at once is the same everywhere in the end', async () => {
  await checkHistories(`${file} -t 'at once'`, disputeHistory, runChoiceHistory, 40)
}, 3_600_000)

test('a channel that is joined and left while a queue is lost has the number of people that the service knows', async () => {
  const join = (put: boolean) => ({ do: 'join', on: 0, channel: 1, put }) as const
  await runChoiceHistory({
    devices: 1,
    level: 420,
    steps: [{ do: 'busy', on: 0 }, join(true), { do: 'lose-queue', on: 0 }, join(false)],
  })
})

const own = channelId(1)
const muteTopic = (on: boolean): Action => ({
  name: 'set-topic-visibility',
  channelId: own,
  topic: 'drift',
  visibility: on ? 'muted' : 'none',
})
const muteChannel = (on: boolean): Action => ({
  name: 'set-subscription',
  channelId: own,
  property: 'muted',
  value: on,
})

test.each([
  ['a topic', muteTopic],
  ['a channel', muteChannel],
])('the late event of muting %s does not contradict undoing that', async (_what, act) => {
  const { world, first } = await createMovingWorld()
  try {
    expect(world.channelId).toBe(own)
    const registrations = () => first.requests.filter(({ path }) => path.startsWith('/register')).length
    const before = registrations()
    first.latency.events = 3_000
    first.account.outbox.enqueue(act(true))
    await world.pass(100)
    first.latency.down = 3_500
    first.account.outbox.enqueue(act(false))
    // The event of muting comes while the undoing is not answered, and that one's event while it is muted again.
    await world.pass(3_600)
    first.account.outbox.enqueue(act(true))
    await world.pass(50_000)
    expect(outboxRows(first.store.db)).toEqual([])
    expect(registrations()).toBe(before)
  } finally {
    await world.close()
  }
})

test('a topic that is muted elsewhere while undoing that is not answered is muted', async () => {
  const { world, first, second } = await createMovingWorld()
  const { mute } = movingIn(() => world)
  try {
    mute(first)
    await world.pass(1_000)
    first.latency.down = 5_000
    first.account.outbox.enqueue(muteTopic(false))
    await world.pass(1_000)
    mute(second)
    await world.pass(50_000)
    for (const { store } of [first, second]) expect(topicVisibility(store.db, own, 'drift')).toBe('muted')
  } finally {
    await world.close()
  }
})

describe('histories that once went wrong', () => {
  const histories: Record<string, ChoiceHistory> = {
    'a channel that is muted elsewhere while it is muted and heard again here is heard': {
      devices: 1,
      steps: [
        { do: 'busy', on: 0 },
        { do: 'set', on: 0, channel: 0, property: 'muted', value: 1 },
        { do: 'elsewhere', what: 'muted', which: 0, put: true },
        { do: 'set', on: 0, channel: 0, property: 'muted', value: 0 },
      ],
    },
    'a channel that is joined elsewhere while it is joined and left here is left': {
      devices: 1,
      steps: [
        { do: 'busy', on: 0 },
        { do: 'join', on: 0, channel: 1, put: true },
        { do: 'elsewhere', what: 'join', which: 1, put: true },
        { do: 'join', on: 0, channel: 1, put: false },
      ],
    },
    'a channel that is left elsewhere while it is left and joined here is joined': {
      devices: 1,
      steps: [
        { do: 'busy', on: 0 },
        { do: 'join', on: 0, channel: 0, put: false },
        { do: 'elsewhere', what: 'join', which: 0, put: false },
        { do: 'join', on: 0, channel: 0, put: true },
      ],
    },
    'a person who is muted elsewhere while they are muted and heard again here is heard': {
      devices: 1,
      steps: [
        { do: 'busy', on: 0 },
        { do: 'mute', on: 0, put: true },
        { do: 'elsewhere', what: 'mute', which: 0, put: true },
        { do: 'mute', on: 0, put: false },
      ],
    },
    'who is heard again and muted once more in the same moment was muted when the service says': {
      devices: 1,
      steps: [
        { do: 'mute', on: 0, put: true },
        { do: 'pass', ms: 2_600 },
        { do: 'busy', on: 0 },
        { do: 'mute', on: 0, put: false },
        { do: 'mute', on: 0, put: true },
      ],
    },
    'a word that comes back in another spelling is spelled as the service has it': {
      devices: 1,
      steps: [
        { do: 'word', on: 0, word: 0, put: true },
        { do: 'pass', ms: 2_600 },
        { do: 'busy', on: 0 },
        { do: 'word', on: 0, word: 1, put: false },
        { do: 'word', on: 0, word: 1, put: true },
      ],
    },
  }
  test.each(Object.entries(histories))('%s', async (_name, history) => {
    await runChoiceHistory(history)
  })
})

test('a change that joins one that waits is known by that one’s id', async () => {
  const { world, first } = await createMovingWorld()
  try {
    first.setConnected(false)
    const { outbox } = first.account
    const earlier = outbox.enqueue({ name: 'set-own-name', fullName: 'Ada' })
    expect(outbox.enqueue({ name: 'set-own-name', fullName: 'Ada L.' })).toBe(earlier)
    expect(outboxRows(first.store.db).map(({ localId }) => localId)).toEqual([earlier])
  } finally {
    await world.close()
  }
})
