import { z } from 'zod'
import type { Failure } from '../failure.ts'

/** What a window sends. The window assigns the ids, which rise. */
export const fromWindow = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), id: z.int().nonnegative(), name: z.string(), input: z.unknown() }),
  z.object({
    kind: z.literal('watch'),
    id: z.int().nonnegative(),
    name: z.string(),
    params: z.unknown(),
    /** The fingerprint of the answer that the window already has; an equal answer is not sent again. */
    fingerprint: z.string().optional(),
  }),
  z.object({ kind: z.literal('unwatch'), id: z.int().nonnegative() }),
])
export type FromWindow = z.output<typeof fromWindow>

/** What the engine sends. A failed watch gets a `failure` and ends. */
export type FromEngine =
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'update'; id: number; value: unknown }
  | { kind: 'failure'; id: number; failure: Failure }
