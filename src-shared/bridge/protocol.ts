import { z } from 'zod'
import type { Failure } from '../failure.ts'

/** What a window sends. Ids are the window's own and rise. */
export const fromWindow = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), id: z.int().nonnegative(), name: z.string(), input: z.unknown() }),
  z.object({
    kind: z.literal('watch'),
    id: z.int().nonnegative(),
    name: z.string(),
    params: z.unknown(),
    /** Of the answer that the window has already; an equal one is not sent again. */
    mark: z.string().optional(),
  }),
  z.object({ kind: z.literal('unwatch'), id: z.int().nonnegative() }),
])
export type FromWindow = z.output<typeof fromWindow>

/** What the engine sends. A failed watch gets a `failure` and ends. */
export type FromEngine =
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'update'; id: number; value: unknown }
  | { kind: 'failure'; id: number; failure: Failure }
