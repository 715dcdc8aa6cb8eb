import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const texts = z.record(z.string(), z.string())

/** What a bot stores with the service for itself: texts by name. */
export const botStorage = {
  getBotStorage: endpoint({
    method: 'GET',
    path: '/bot_storage',
    /** Without names, everything. */
    input: z.object({ keys: z.array(z.string()).optional() }),
    output: z.looseObject({ storage: texts }),
  }),
  updateBotStorage: endpoint({
    method: 'PUT',
    path: '/bot_storage',
    /** Entries under other names stay as they are. */
    input: z.object({ storage: texts }),
    output: z.looseObject({}),
  }),
  removeBotStorage: endpoint({
    method: 'DELETE',
    path: '/bot_storage',
    input: z.object({ keys: z.array(z.string()).optional() }),
    output: z.looseObject({}),
  }),
}
