import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const channelName = z.string().nullish()

const defaults = {
  default_sending_stream: channelName,
  default_events_register_stream: channelName,
  default_all_public_streams: z.boolean().optional(),
}

/** A bot as its owner and administrators see it. */
export const apiBot = z.looseObject({
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  api_key: z.string(),
  bot_type: z.int(),
  is_active: z.boolean().default(true),
  avatar_url: z.string().nullish(),
  owner_id: z.int().nullish(),
  ...defaults,
  services: z
    .array(z.looseObject({ base_url: z.string().optional(), token: z.string().optional() }))
    .default([]),
})
export type ApiBot = z.output<typeof apiBot>

export const botEvent = z.discriminatedUnion('op', [
  z.looseObject({ op: z.literal('add'), bot: apiBot }),
  /** Only the fields that changed, and the bot's id. */
  z.looseObject({ op: z.literal('update'), bot: z.looseObject({ user_id: z.int() }) }),
  z.looseObject({ op: z.literal('delete'), bot: z.looseObject({ user_id: z.int() }) }),
])

/** Text that travels as JSON; lenient servers of this API also accept it as plain text. */
const jsonText = z.union([z.string(), z.never()])

/** Bots, and the outgoing webhooks of some of them. */
export const bots = {
  getBots: endpoint({
    method: 'GET',
    path: '/bots',
    input: z.object({}),
    output: z.looseObject({
      bots: z.array(
        z.looseObject({ username: z.string(), full_name: z.string(), api_key: z.string(), ...defaults }),
      ),
    }),
  }),
  createBot: endpoint({
    method: 'POST',
    path: '/bots',
    takesFile: 'optional',
    input: z.object({
      full_name: z.string(),
      /** The local part of the bot's address begins with this. */
      short_name: z.string(),
      /** 1 generic, 2 incoming webhook, 3 outgoing webhook. */
      bot_type: z.int().optional(),
      /** The address to which an outgoing webhook is sent. */
      payload_url: jsonText.optional(),
      service_name: z.string().optional(),
      interface_type: z.int().optional(),
      config_data: z.record(z.string(), z.string()).optional(),
      default_sending_stream: z.string().optional(),
      default_events_register_stream: z.string().optional(),
      default_all_public_streams: z.boolean().optional(),
    }),
    output: z.looseObject({
      user_id: z.int(),
      api_key: z.string(),
      avatar_url: z.string().nullish(),
      ...defaults,
    }),
  }),
  updateBot: endpoint({
    method: 'PATCH',
    path: '/bots/{bot_id}',
    takesFile: 'optional',
    input: z.object({
      bot_id: z.int(),
      full_name: z.string().optional(),
      role: z.int().optional(),
      bot_owner_id: z.int().optional(),
      config_data: z.record(z.string(), z.string()).optional(),
      service_interface: z.int().optional(),
      service_payload_url: jsonText.optional(),
      default_sending_stream: z.string().optional(),
      default_events_register_stream: z.string().optional(),
      default_all_public_streams: z.boolean().optional(),
    }),
    output: z.looseObject({ full_name: z.string().optional(), avatar_url: z.string().nullish() }),
  }),
  deactivateBot: endpoint({
    method: 'DELETE',
    path: '/bots/{bot_id}',
    input: z.object({ bot_id: z.int() }),
    output: z.looseObject({}),
  }),
  regenerateBotKey: endpoint({
    method: 'POST',
    path: '/bots/{bot_id}/api_key/regenerate',
    input: z.object({ bot_id: z.int() }),
    output: z.looseObject({ api_key: z.string() }),
  }),
}
