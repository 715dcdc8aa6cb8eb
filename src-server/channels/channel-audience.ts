import { apiChannel } from './channels.ts'
import { viewersOf } from '../permissions/channels.ts'
import { channelById, userById, type ChannelRow, type Workspace } from '../workspace.ts'

/** Tells these people that a channel exists. */
export function publishCreated(workspace: Workspace, channel: ChannelRow, userIds: Iterable<number>): void {
  for (const queue of workspace.queues.interested('stream', new Set(userIds))) {
    const user = userById(workspace.db, queue.userId)
    if (user === undefined) continue
    workspace.queues.push(queue, {
      type: 'stream',
      op: 'create',
      streams: [apiChannel(workspace, user, channel)],
    })
  }
}

/** Tells these people that a channel no longer exists for them. */
const publishVanished = (workspace: Workspace, channelId: number, userIds: Iterable<number>): void =>
  workspace.publish(userIds, {
    type: 'stream',
    op: 'delete',
    stream_ids: [channelId],
    streams: [{ stream_id: channelId }],
  })

/** Tells people which channels they can see now and which no longer. */
export interface VisibilityWatch {
  /** Call before events that presuppose the channel. */
  announceGained(): void
  /** Call after every other event of the change. */
  announceLost(): void
}

/** Records who can see these channels (every private one if null) before something changes. */
export function watchVisibility(workspace: Workspace, channelIds: readonly number[] | null): VisibilityWatch {
  const { db } = workspace
  const watched = channelIds ?? db.column<number>('SELECT channel_id FROM channels WHERE is_private = 1')
  const viewers = (id: number): Set<number> => {
    const channel = channelById(db, id)
    return channel === undefined ? new Set() : viewersOf(db, channel)
  }
  const before = new Map(watched.map((id) => [id, viewers(id)]))
  return {
    announceGained() {
      for (const [id, seen] of before) {
        const channel = channelById(db, id)
        if (channel === undefined) continue
        publishCreated(
          workspace,
          channel,
          [...viewers(id)].filter((userId) => !seen.has(userId)),
        )
      }
    },
    announceLost() {
      for (const [id, seen] of before) {
        const now = viewers(id)
        publishVanished(
          workspace,
          id,
          [...seen].filter((userId) => !now.has(userId)),
        )
      }
    },
  }
}

/**
 * Does something that may change who can see channels (every private one if null), and tells the people affected.
 */
export function announcingVisibility(
  workspace: Workspace,
  channelIds: readonly number[] | null,
  work: () => void,
): void {
  const watch = watchVisibility(workspace, channelIds)
  work()
  watch.announceGained()
  watch.announceLost()
}
