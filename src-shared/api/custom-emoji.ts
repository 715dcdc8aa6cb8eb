import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const realmEmoji = z.looseObject({
  id: z.coerce.string(),
  name: z.string(),
  source_url: z.string(),
  still_url: z.string().nullish(),
  deactivated: z.boolean().default(false),
  author_id: z.int().nullish(),
})

/** The organization's own emoji. */
export const customEmoji = {
  getCustomEmoji: endpoint({
    method: 'GET',
    path: '/realm/emoji',
    input: z.object({}),
    output: z.looseObject({ emoji: z.record(z.string(), realmEmoji) }),
  }),
  addCustomEmoji: endpoint({
    method: 'POST',
    path: '/realm/emoji/{emoji_name}',
    takesFile: true,
    input: z.object({ emoji_name: z.string() }),
    output: z.looseObject({}),
  }),
  removeCustomEmoji: endpoint({
    method: 'DELETE',
    path: '/realm/emoji/{emoji_name}',
    input: z.object({ emoji_name: z.string() }),
    output: z.looseObject({}),
  }),
}
