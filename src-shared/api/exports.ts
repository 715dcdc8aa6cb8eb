import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireSeconds } from './wire.ts'

/** An archive of the organization's data. Times are UNIX seconds. */
const apiExport = z.looseObject({
  id: z.int(),
  acting_user_id: z.int(),
  export_time: wireSeconds,
  deleted_timestamp: wireSeconds.nullable(),
  failed_timestamp: wireSeconds.nullable(),
  /** Anyone who has this address can download the archive; null while there is none. */
  export_url: z.string().nullable(),
  pending: z.boolean(),
  /** 1: public data; 2: also the private data of the people who consented. */
  export_type: z.int(),
})
export type ApiExport = z.output<typeof apiExport>

/** Exports of the organization's data. */
export const exports = {
  getExports: endpoint({
    method: 'GET',
    path: '/export/realm',
    input: z.object({}),
    output: z.looseObject({ exports: z.array(apiExport) }),
  }),
  startExport: endpoint({
    method: 'POST',
    path: '/export/realm',
    input: z.object({ export_type: z.union([z.literal(1), z.literal(2)]).optional() }),
    output: z.looseObject({ id: z.int() }),
  }),
  removeExport: endpoint({
    method: 'DELETE',
    path: '/export/realm/{export_id}',
    input: z.object({ export_id: z.int() }),
    output: z.looseObject({}),
  }),
  getExportConsents: endpoint({
    method: 'GET',
    path: '/export/realm/consents',
    since: 295,
    input: z.object({}),
    output: z.looseObject({
      export_consents: z.array(z.looseObject({ user_id: z.int(), consented: z.boolean() })),
    }),
  }),
}
