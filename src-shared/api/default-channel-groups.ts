import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Channels that new people can choose together. */
export interface ApiDefaultChannelGroup {
  id: number
  name: string
  description: string
  streams: number[]
}

/** Groups of channels that new people are offered. */
export const defaultChannelGroups = {
  addDefaultChannelGroup: endpoint({
    method: 'POST',
    path: '/default_stream_groups/create',
    input: z.object({
      group_name: z.string(),
      description: z.string(),
      /** Names of channels. */
      stream_names: z.array(z.string()),
    }),
    output: z.looseObject({}),
  }),
  updateDefaultChannelGroup: endpoint({
    method: 'PATCH',
    path: '/default_stream_groups/{group_id}',
    input: z.object({
      group_id: z.int(),
      new_group_name: z.string().optional(),
      new_description: z.string().optional(),
    }),
    output: z.looseObject({}),
  }),
  updateDefaultChannelGroupChannels: endpoint({
    method: 'PATCH',
    path: '/default_stream_groups/{group_id}/streams',
    input: z.object({
      group_id: z.int(),
      op: z.enum(['add', 'remove']),
      stream_names: z.array(z.string()),
    }),
    output: z.looseObject({}),
  }),
  removeDefaultChannelGroup: endpoint({
    method: 'DELETE',
    path: '/default_stream_groups/{group_id}',
    input: z.object({ group_id: z.int() }),
    output: z.looseObject({}),
  }),
}
