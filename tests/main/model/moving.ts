import { channelId, userId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import type { DraftContent, DraftRecipient } from '../../../src-shared/model/draft.ts'
import { draftFromApi } from '../../../src-main/drafts/wire.ts'
import { allDrafts } from '../../../src-main/store/drafts.ts'
import { draftsOf } from '../../../src-server/handlers/drafts.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, type World } from './world.ts'

/** The order in which drafts are compared. */
export const byContent = (a: DraftContent, b: DraftContent) => (a.content < b.content ? -1 : 1)

/** A world with two devices, in which the other person has written twice in the topic "drift". */
export async function createMovingWorld(
  featureLevel = 420,
): Promise<{ world: World; first: ModelDevice; second: ModelDevice }> {
  const world = await createWorld(2, featureLevel)
  const [first, second] = world.devices
  if (first === undefined || second === undefined) throw new Error('There are no two devices.')
  await world.pass(3_000)
  const { hear } = movingIn(() => world)
  for (const content of ['it drifts', 'still']) await hear('drift', content)
  await world.pass(1_000)
  return { world, first, second }
}

/** What people do in a world whose topics move, and its results; `world` is the current one. */
export function movingIn(world: () => World) {
  const topic = (name: string) => topicConversation(world().channelId, name)
  /** The other person moves messages, from this one on. */
  const move = (id: number, change: string) =>
    world().ask('PATCH', `/messages/${id}`, `${change}&send_notification_to_new_thread=false`, world().other)
  return {
    topic,
    move,
    hear: (name: string, content: string) =>
      world().ask(
        'POST',
        '/messages',
        `type=stream&to=${world().channelId}&topic=${name}&content=${content}`,
        world().other,
      ),
    renameAll: (name: string) => move(1, `topic=${name}&propagate_mode=change_all`),
    write(device: ModelDevice, content: string, recipient: DraftRecipient = topic('drift')) {
      const { draftId } = device.account.drafts.save(null, { recipient, content })
      device.account.drafts.leave(draftId)
      return draftId
    },
    send: (device: ModelDevice, content: string, name = 'drift') =>
      device.account.outbox.enqueue({
        name: 'send-message',
        conversation: topic(name),
        content,
        draftId: null,
      }),
    mute: (device: ModelDevice) =>
      device.account.outbox.enqueue({
        name: 'set-topic-visibility',
        channelId: channelId(world().channelId),
        topic: 'drift',
        visibility: 'muted',
      }),
    /** The drafts of a device. */
    shown: (device: ModelDevice): DraftContent[] =>
      allDrafts(device.store.db)
        .map(({ local }) => local)
        .sort(byContent),
    /** The drafts on the service. */
    kept(): DraftContent[] {
      const own = userId(world().user.user_id)
      return draftsOf(world().workspace, own)
        .map((draft) => draftFromApi(draft, own))
        .sort(byContent)
    },
    ownMessages: () =>
      world()
        .workspace.db.all<{ topic: string; content: string }>(
          `SELECT topic, content FROM messages WHERE sender_id = ${world().user.user_id} ORDER BY message_id`,
        )
        .map((row) => `${row.topic}: ${row.content}`),
  }
}
