import { z } from 'zod'
import { apiChannelFolder } from './channels.ts'
import { endpoint } from './endpoint.ts'

/** The folders into which an organization sorts its channels. */
export const channelFolders = {
  getChannelFolders: endpoint({
    method: 'GET',
    path: '/channel_folders',
    since: 389,
    input: z.object({ include_archived: z.boolean().optional() }),
    output: z.looseObject({ channel_folders: z.array(apiChannelFolder) }),
  }),
  createChannelFolder: endpoint({
    method: 'POST',
    path: '/channel_folders/create',
    since: 389,
    input: z.object({ name: z.string(), description: z.string().optional() }),
    output: z.looseObject({ channel_folder_id: z.int() }),
  }),
  reorderChannelFolders: endpoint({
    method: 'PATCH',
    path: '/channel_folders',
    since: 414,
    input: z.object({ order: z.array(z.int()) }),
    output: z.looseObject({}),
  }),
  updateChannelFolder: endpoint({
    method: 'PATCH',
    path: '/channel_folders/{channel_folder_id}',
    since: 389,
    input: z.object({
      channel_folder_id: z.int(),
      name: z.string().optional(),
      description: z.string().optional(),
      is_archived: z.boolean().optional(),
    }),
    output: z.looseObject({}),
  }),
}
