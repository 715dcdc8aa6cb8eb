import fc from 'fast-check'
import { z } from 'zod'
import type { Endpoint } from '../../src-shared/api/endpoint.ts'

/** Ids and words that exist in the service, so that requests pass the first check. */
export interface Surroundings {
  readonly ids: readonly number[]
  readonly words: readonly string[]
}

const wordsOfProtocol = [
  'channel channels topic sender dm dm-including is in has near id with search unread starred mentioned alerted',
  'resolved followed muted home all public web-public newest oldest first_unread add remove start stop read collapsed',
  'change_all change_later color is_muted pin_to_top tada unicode_emoji realm_emoji message realm_user name',
]
  .join(' ')
  .split(' ')
const oddities = [
  '',
  ' ',
  '\0',
  '"',
  "' OR 1=1 --",
  '*',
  'NEAR(a b)',
  '%',
  '🦦',
  '__proto__',
  '✔ ',
  '1e400',
  '{}',
  '[',
  'null',
]

const texts = (around: Surroundings) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...wordsOfProtocol, ...around.words) },
    { weight: 1, arbitrary: fc.constantFrom(...oddities) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
    { weight: 1, arbitrary: fc.nat({ max: 12_000 }).map((length) => 'a'.repeat(length)) },
  )

const numbers = (around: Surroundings) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...around.ids) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(0, -1, 1, 2, 3, 100, 600, 2 ** 31, 2 ** 53, -(2 ** 53), 0.5, 1e300),
    },
  )

/** Values for a schema, most of them valid. */
function valuesOf(schema: unknown, around: Surroundings): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return fc.option(valuesOf(schema.def.innerType, around), { nil: undefined })
  if (schema instanceof z.ZodNullable) return fc.option(valuesOf(schema.def.innerType, around), { nil: null })
  if (schema instanceof z.ZodPipe) return valuesOf(schema.def.in, around)
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.def.options.map((one) => valuesOf(one, around)))
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options)
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.def.values)
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodNumber) return numbers(around)
  if (schema instanceof z.ZodString) return texts(around)
  if (schema instanceof z.ZodArray) return fc.array(valuesOf(schema.element, around), { maxLength: 4 })
  if (schema instanceof z.ZodTuple) return fc.tuple(...schema.def.items.map((one) => valuesOf(one, around)))
  if (schema instanceof z.ZodRecord) return fc.dictionary(texts(around), fc.jsonValue({ maxDepth: 2 }))
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, one]) => [name, valuesOf(one, around)] as const)
    return fc.record(Object.fromEntries(fields), { requiredKeys: [] })
  }
  return fc.jsonValue({ maxDepth: 3 })
}

/** A request as it travels: path and form fields, sometimes entirely invalid. */
export interface FuzzedRequest {
  readonly path: string
  readonly fields: readonly (readonly [string, string])[]
}

/** Requests to an endpoint. */
export function requestsTo(endpoint: Endpoint, around: Surroundings): fc.Arbitrary<FuzzedRequest> {
  const text = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  const junk = fc.oneof(texts(around), fc.json({ maxDepth: 4 }))
  const fields = Object.entries(endpoint.input.shape).map(
    ([name, schema]) =>
      [
        name,
        fc.oneof(
          { weight: 6, arbitrary: valuesOf(schema, around).map(text) },
          { weight: 1, arbitrary: junk },
        ),
      ] as const,
  )
  return fc
    .tuple(
      fc.record(Object.fromEntries(fields), { requiredKeys: [] }),
      fc.option(fc.tuple(texts(around), junk), { nil: null, freq: 8 }),
    )
    .map(([input, extra]) => {
      const inPath = new Set<string>()
      const path = endpoint.path.replace(/\{(\w+)\*?\}/g, (_, name: string) => {
        inPath.add(name)
        return encodeURIComponent(input[name] ?? String(around.ids[0] ?? 1)).replace(/^\.+$/, 'x') || 'x'
      })
      const rest = Object.entries(input).flatMap(([name, value]): [string, string][] =>
        inPath.has(name) || value === undefined ? [] : [[name, value]],
      )
      return { path, fields: extra === null ? rest : [...rest, extra] }
    })
}
