import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { drafts as draftsQuery } from '../../../src-main/queries/drafts.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { topicsInDoubt } from '../../../src-main/store/topics-in-doubt.ts'
import { topicVisibility } from '../../../src-main/store/topic-visibility.ts'
import { createChannel } from '../../../src-server/channels/channels.ts'
import { createMovingWorld, movingIn } from './moving.ts'
import type { ModelDevice } from './device.ts'
import type { World } from './world.ts'

// A device that was offline for longer than its queue lived finds out itself where a topic went.

let world: World
let here: ModelDevice
let away: ModelDevice

async function open(featureLevel = 420) {
  ;({ world, first: here, second: away } = await createMovingWorld(featureLevel))
}

const { topic, move, hear, renameAll, write, send, mute, shown, kept, ownMessages } = movingIn(() => world)
const draft = (name: string, content: string) => ({ recipient: topic(name), content })

/** Disconnects the device for longer than its queue lives; `meanwhile` is what others do. */
async function whileAway(meanwhile: () => Promise<unknown>) {
  away.setConnected(false)
  await world.pass(20_000)
  await meanwhile()
  away.loseQueue()
}
async function comeBack() {
  away.setConnected(true)
  await world.pass(70_000)
}
/** Reconnects; stops right after the new registration. */
async function register() {
  const before = away.requests.length
  const isRegistered = () =>
    away.requests.slice(before).some(({ path, outcome }) => path === '/register' && outcome === 200)
  away.latency = { up: 0, down: 1_000, events: 0 }
  away.setConnected(true)
  while (!isRegistered()) await world.pass(250)
}

/** Only the topic of this name is muted. */
function checkMuted(name: string) {
  const { db } = world.workspace
  expect(db.all(`SELECT topic, policy FROM user_topics WHERE user_id = ${world.user.user_id}`)).toEqual([
    { topic: name, policy: 1 },
  ])
  const shown = ['drift', name].map((one) => topicVisibility(away.store.db, world.channelId, one))
  expect(shown).toEqual(['none', 'muted'])
  expect(outboxRows(away.store.db)).toEqual([])
}

describe('on a service of today', () => {
  beforeEach(() => open())
  afterEach(() => world.close())

  test('drafts and messages that wait go where their topic went meanwhile, and say where they came from', async () => {
    await whileAway(async () => {
      write(away, 'reef')
      send(away, 'one')
      send(away, 'two')
      await renameAll('leeway')
      await renameAll('lee')
    })
    await comeBack()
    expect(ownMessages()).toEqual(['lee: one', 'lee: two'])
    expect(kept()).toEqual([draft('lee', 'reef')])
    for (const device of [here, away]) expect(shown(device)).toEqual(kept())
    const context = away.account.queryContext()
    expect(draftsQuery(context, context.piecesOf)).toMatchObject([
      { cameFrom: { kind: 'topic', topic: 'drift' } },
    ])
    expect(outboxRows(away.store.db)).toEqual([])
    expect(topicsInDoubt(away.store.db)).toEqual([])
  })

  test('nothing is sent into the old place before it is known where the topic is', async () => {
    await whileAway(async () => {
      send(away, 'one')
      await renameAll('leeway')
    })
    await register()
    away.faults.calls.push('failed', 'too-many', 'page', 'lost-after', 'truncated', 'lost-before')
    await world.pass(200_000)
    expect(ownMessages()).toEqual(['leeway: one'])
  })

  test('a topic that a person muted is muted where it went meanwhile', async () => {
    await whileAway(async () => {
      mute(away)
      await renameAll('leeway')
    })
    await comeBack()
    checkMuted('leeway')
  })

  test.each<[string, () => unknown, (name: string) => unknown]>([
    ['the visibility of a topic', () => mute(away), (name) => checkMuted(name)],
    ['a draft', () => write(away, 'reef'), (name) => expect(kept()).toEqual([draft(name, 'reef')])],
    ['a message', () => send(away, 'one'), (name) => expect(ownMessages()).toEqual([`${name}: one`])],
  ])(
    '%s that is written or set before this device has looked at the topic again goes to where it is',
    async (_what, put, check) => {
      await whileAway(() => renameAll('leeway'))
      await register()
      put()
      await world.pass(70_000)
      check('leeway')
      const asked = away.requests.length
      await hear('leeway', 'and on')
      await world.pass(1_000)
      send(away, 'two', 'leeway')
      write(away, 'more', topic('leeway'))
      await world.pass(10_000)
      // A device that was connected all along asks for no messages.
      expect(away.requests.slice(asked).filter(({ path }) => path.startsWith('/messages?'))).toEqual([])
    },
  )

  test('a topic that goes to another channel takes along what was written for it', async () => {
    const subscriptions = encodeURIComponent(JSON.stringify([{ name: 'rigging' }]))
    await world.ask('POST', '/users/me/subscriptions', `subscriptions=${subscriptions}`, world.other)
    const channel = world.workspace.db.get<{ id: number }>('SELECT max(channel_id) AS id FROM channels')
    const change = `stream_id=${channel?.id}&propagate_mode=change_all&send_notification_to_old_thread=true`
    await whileAway(async () => {
      write(away, 'reef')
      // The service's notice stays in the old topic.
      expect(await move(1, change)).toBe(200)
    })
    await comeBack()
    expect(kept()).toEqual([{ recipient: topicConversation(channel?.id ?? 0, 'drift'), content: 'reef' }])
  })

  test.each<[string, () => Promise<unknown>]>([
    ['one message was taken out of it', () => move(2, 'topic=leeway&propagate_mode=change_one')],
    [
      'it was split',
      async () => {
        await move(2, 'topic=leeway&propagate_mode=change_one')
        await move(1, 'topic=rope&propagate_mode=change_one')
      },
    ],
    [
      'people write in the old place again',
      async () => {
        await renameAll('leeway')
        await hear('drift', 'and again')
      },
    ],
    [
      'all of it was deleted',
      async () => {
        for (const id of [1, 2]) world.workspace.db.run('DELETE FROM messages WHERE message_id = ?', id)
      },
    ],
    [
      'it went to a channel that this device does not know',
      async () => {
        const hidden = createChannel(world.workspace, world.other, {
          name: 'bilge',
          description: '',
          isPrivate: true,
        })
        await move(1, `stream_id=${hidden.channel_id}&propagate_mode=change_all`)
      },
    ],
    ['nothing happened to it', () => Promise.resolve()],
  ])('when %s, what was written stays where it is', async (_what, meanwhile) => {
    await whileAway(async () => {
      write(away, 'reef')
      send(away, 'one')
      await meanwhile()
    })
    await comeBack()
    expect(kept()).toEqual([draft('drift', 'reef')])
    expect(ownMessages()).toEqual(['drift: one'])
    expect(topicsInDoubt(away.store.db)).toEqual([])
  })

  test('a service that says nothing of the topic keeps no message back', async () => {
    await whileAway(async () => {
      send(away, 'one')
      await renameAll('leeway')
    })
    await register()
    for (let count = 0; count < 40; count++) away.faults.calls.push('page')
    await world.pass(2_000_000)
    expect(ownMessages()).toHaveLength(1)
    expect(topicsInDoubt(away.store.db)).toEqual([])
  })

  test('many topics are asked about at once', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `topic${index}`)
    for (const name of names) await hear(name, 'word')
    await world.pass(1_000)
    await whileAway(async () => {
      for (const name of names) write(away, name, topic(name))
      await renameAll('leeway')
    })
    const before = away.requests.length
    await comeBack()
    const asked = away.requests.slice(before).filter(({ path }) => path.startsWith('/messages?'))
    expect(asked.filter(({ path }) => path.includes('message_ids'))).toHaveLength(1)
    expect(asked.filter(({ path }) => path.includes('%22topic%22'))).toHaveLength(0)
    expect(kept()).toHaveLength(30)
  })

  test('wherever the program ends in between, it goes on with the question', async () => {
    for (let commits = 1; commits <= 12; commits++) {
      const name = `lee${commits}`
      await whileAway(async () => {
        const now = commits === 1 ? 'drift' : `lee${commits - 1}`
        write(away, `draft ${commits}`, topic(now))
        send(away, `sent ${commits}`, now)
        await renameAll(name)
      })
      away.kill(commits)
      await comeBack()
      away.spare()
      await comeBack()
      expect(ownMessages().at(-1), `killed after ${commits}`).toBe(`${name}: sent ${commits}`)
      expect(
        kept().map(({ recipient }) => recipient),
        `killed after ${commits}`,
      ).toEqual(Array.from({ length: commits }, () => topic(name)))
    }
  })
})

test.each([218, 120, 87])(
  'on a service of level %s, which gives no messages by their names, it is found out too',
  async (featureLevel) => {
    await open(featureLevel)
    try {
      await whileAway(async () => {
        write(away, 'reef')
        send(away, 'one')
        await renameAll('leeway')
      })
      await comeBack()
      expect(ownMessages()).toEqual(['leeway: one'])
      expect(kept()).toEqual([draft('leeway', 'reef')])
    } finally {
      await world.close()
    }
  },
)
