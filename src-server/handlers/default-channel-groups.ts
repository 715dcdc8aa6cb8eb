import type { Handlers } from '../../src-shared/api/index.ts'
import { assertCanBeDefault, channelByName } from '../channels/channels.ts'
import { defaultChannelGroupList, publishDefaultChannelGroups } from '../channels/default-channel-groups.ts'
import { canSeeChannel } from '../permissions/channels.ts'
import { assertAdministrator } from '../permissions/roles.ts'
import { badRequest, notFound } from '../service-error.ts'
import type { ChannelRow, UserRow, Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const longestName = 60
const longestDescription = 1_024

export const defaultChannelGroups: Pick<
  Handlers<HandlerContext>,
  | 'addDefaultChannelGroup'
  | 'updateDefaultChannelGroup'
  | 'updateDefaultChannelGroupChannels'
  | 'removeDefaultChannelGroup'
> = {
  addDefaultChannelGroup: ({ group_name, description, stream_names }, { workspace, user }) => {
    assertAdministrator(user)
    const { db } = workspace
    const name = freeName(workspace, null, group_name)
    const words = checkedDescription(description)
    const channels = offeredChannels(workspace, user, stream_names)
    db.transaction(() => {
      const { lastId } = db.run(
        'INSERT INTO default_channel_groups (name, description) VALUES (?, ?)',
        name,
        words,
      )
      addChannels(workspace, lastId, channels)
    })
    publishDefaultChannelGroups(workspace)
    return {}
  },

  updateDefaultChannelGroup: ({ group_id, new_group_name, new_description }, { workspace, user }) => {
    assertAdministrator(user)
    const before = existing(workspace, group_id)
    if (new_group_name === undefined && new_description === undefined)
      throw badRequest('You must pass "new_description" or "new_group_name".')
    workspace.db.run(
      'UPDATE default_channel_groups SET name = ?, description = ? WHERE group_id = ?',
      new_group_name === undefined ? before.name : freeName(workspace, group_id, new_group_name),
      new_description === undefined ? before.description : checkedDescription(new_description),
      group_id,
    )
    publishDefaultChannelGroups(workspace)
    return {}
  },

  updateDefaultChannelGroupChannels: ({ group_id, op, stream_names }, { workspace, user }) => {
    assertAdministrator(user)
    const { db } = workspace
    const { streams } = existing(workspace, group_id)
    if (op === 'add') {
      const channels = offeredChannels(workspace, user, stream_names)
      const known = channels.find(({ channel_id }) => streams.includes(channel_id))
      if (known !== undefined) throw badRequest(`#${known.name} is in this group already.`)
      db.transaction(() => addChannels(workspace, group_id, channels))
    } else {
      const channels = namedChannels(workspace, user, stream_names)
      const stranger = channels.find(({ channel_id }) => !streams.includes(channel_id))
      if (stranger !== undefined) throw badRequest(`#${stranger.name} is not in this group.`)
      db.transaction(() => {
        for (const { channel_id } of channels)
          db.run(
            'DELETE FROM default_channel_group_channels WHERE group_id = ? AND channel_id = ?',
            group_id,
            channel_id,
          )
      })
    }
    publishDefaultChannelGroups(workspace)
    return {}
  },

  removeDefaultChannelGroup: ({ group_id }, { workspace, user }) => {
    assertAdministrator(user)
    existing(workspace, group_id)
    workspace.db.run('DELETE FROM default_channel_groups WHERE group_id = ?', group_id)
    publishDefaultChannelGroups(workspace)
    return {}
  },
}

function existing({ db }: Workspace, id: number) {
  const group = defaultChannelGroupList(db).find((one) => one.id === id)
  if (group === undefined) throw notFound('There is no such group of default channels.')
  return group
}

function freeName({ db }: Workspace, ownId: number | null, wanted: string): string {
  const name = wanted.trim()
  if (name === '' || name.includes('\0')) throw badRequest('Invalid default channel group name.')
  if ([...name].length > longestName)
    throw badRequest(`Default channel group name too long (limit: ${longestName} characters)`)
  if (defaultChannelGroupList(db).some((one) => one.name === name && one.id !== ownId))
    throw badRequest('A group of default channels of that name is there already.')
  return name
}

function checkedDescription(text: string): string {
  if ([...text].length > longestDescription || text.includes('\0'))
    throw badRequest(`A description has ${longestDescription} characters at most.`)
  return text
}

function namedChannels(workspace: Workspace, user: UserRow, names: readonly string[]): ChannelRow[] {
  return [...new Set(names)].map((name) => {
    const channel = channelByName(workspace, name)
    if (channel === undefined || !canSeeChannel(workspace.db, user, channel))
      throw badRequest('Invalid channel name')
    return channel
  })
}

/** Channels that can be in such a group; default channels cannot, because everybody is subscribed to them anyway. */
function offeredChannels(workspace: Workspace, user: UserRow, names: readonly string[]): ChannelRow[] {
  const channels = namedChannels(workspace, user, names)
  for (const channel of channels) {
    assertCanBeDefault(channel)
    if (channel.is_default === 1)
      throw badRequest(`#${channel.name} is a default channel: everybody new is in it anyway.`)
  }
  return channels
}

function addChannels({ db }: Workspace, groupId: number, channels: readonly ChannelRow[]): void {
  for (const { channel_id } of channels)
    db.run('INSERT OR IGNORE INTO default_channel_group_channels VALUES (?, ?)', groupId, channel_id)
}
