import { roles } from '../../src-shared/roles.ts'
import type { ApiDefaultChannelGroup } from '../../src-shared/api/default-channel-groups.ts'
import type { Database } from '../database.ts'
import type { ChannelRow, Workspace } from '../workspace.ts'

/** The groups of default channels, as the API shows them, by name. */
export function defaultChannelGroupList(db: Database): ApiDefaultChannelGroup[] {
  const channels = db.all<{ group_id: number; channel_id: number }>(
    'SELECT group_id, channel_id FROM default_channel_group_channels ORDER BY channel_id',
  )
  return db
    .all<{ group_id: number; name: string; description: string }>(
      'SELECT group_id, name, description FROM default_channel_groups ORDER BY name',
    )
    .map(({ group_id: id, name, description }) => ({
      id,
      name,
      description,
      streams: channels.filter((one) => one.group_id === id).map((one) => one.channel_id),
    }))
}

/** Tells everybody except guests the present groups. */
export function publishDefaultChannelGroups(workspace: Workspace): void {
  const people = workspace.db.column<number>(
    'SELECT user_id FROM users WHERE is_active = 1 AND role < ?',
    roles.guest,
  )
  workspace.publish(people, {
    type: 'default_stream_groups',
    default_stream_groups: defaultChannelGroupList(workspace.db),
  })
}

/** Removes a channel from the groups if new people can no longer simply be subscribed to it, and publishes that. */
export function leaveDefaultChannelGroups(workspace: Workspace, channel: ChannelRow): void {
  if (channel.is_private === 0 && channel.is_archived === 0) return
  const { changes } = workspace.db.run(
    'DELETE FROM default_channel_group_channels WHERE channel_id = ?',
    channel.channel_id,
  )
  if (changes > 0) publishDefaultChannelGroups(workspace)
}
