import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { realmEmoji } from './snapshot.ts'

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
