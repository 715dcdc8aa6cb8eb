import { z } from 'zod'
import type { Failure } from '../failure.ts'
import type { Endpoint } from './endpoint.ts'
import { parseJsonInSlices } from './json-slices.ts'

/** A request as it travels, relative to the base address. */
export interface EncodedRequest {
  readonly path: string
  /** Query of a GET, form of anything else; in order. */
  readonly fields: readonly (readonly [name: string, text: string])[]
}

/**
 * The wire form of a flat input (specification, Endpoints, Conventions 2): path fields into the path, strings as
 * they are, everything else as JSON text. A field that is `undefined` is not sent.
 */
export function encodeInput(endpoint: Endpoint, input: Readonly<Record<string, unknown>>): EncodedRequest {
  const inPath = new Set<string>()
  const path = endpoint.path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, slashes: string) => {
    inPath.add(name)
    const text = encodeURIComponent(String(input[name]))
    return slashes === '' ? text : text.replaceAll('%2F', '/')
  })
  const fields: [string, string][] = []
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || inPath.has(name)) continue
    fields.push([name, typeof value === 'string' ? value : JSON.stringify(value)])
  }
  return { path, fields }
}

/** The result of decoding a request's fields. */
export type DecodedInput =
  | { kind: 'input'; input: Record<string, unknown>; ignored: string[] }
  | { kind: 'missing'; name: string }
  /** Both a field and its older name were sent. */
  | { kind: 'confusing'; name: string; alias: string }
  /** The value is not allowed, or (`isReadable: false`) it is not of the field's type at all. */
  | { kind: 'invalid'; name: string; value: string; reason: string; isReadable: boolean }

/** The inverse of `encodeInput`; unknown names are listed in the result, not refused. */
export function decodeInput(
  endpoint: Endpoint,
  pathFields: Readonly<Record<string, string>>,
  fields: Iterable<readonly [name: string, text: string]>,
): DecodedInput {
  const shape: Record<string, unknown> = endpoint.input.shape
  const raw: Record<string, unknown> = {}
  const texts = new Map<string, string>()
  const ignored: string[] = []
  const named = new Set<string>()
  const aliased = new Map<string, string>()
  for (const [given, text] of [...Object.entries(pathFields), ...fields]) {
    const { aliases = {} } = endpoint
    const alias = Object.hasOwn(aliases, given) ? aliases[given] : undefined
    const name = alias ?? given
    if (alias !== undefined) aliased.set(name, given)
    else named.add(name)
    const schema = shape[name]
    if (!(schema instanceof z.ZodType)) {
      if (!ignored.includes(name)) ignored.push(name)
      continue
    }
    texts.set(name, text)
    raw[name] = decodeField(schema, text)
  }
  for (const [name, alias] of aliased) if (named.has(name)) return { kind: 'confusing', name, alias }
  const parsed = endpoint.input.safeParse(raw)
  if (parsed.success) return { kind: 'input', input: parsed.data, ignored }
  const issue = parsed.error.issues[0]
  const name = String(issue?.path[0] ?? '')
  const value = texts.get(name)
  if (value === undefined) return { kind: 'missing', name }
  const isOfKind = raw[name] !== value && (issue?.path.length !== 1 || issue.code !== 'invalid_type')
  const isReadable = isText(shape[name]) || isOfKind
  return { kind: 'invalid', name, value, reason: issue?.message ?? 'Invalid', isReadable }
}

const isText = (schema: unknown): boolean => schema instanceof z.ZodType && isRawString(schema)

function decodeField(schema: z.ZodType, text: string): unknown {
  if (isRawString(schema)) return text
  // Most texts that are not JSON are recognized at once; a parser that throws is slow.
  if (!/^(?:[\s\d"[{-]|(?:true|false|null)\s*$)/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    // A union of a string and something else (`to` of a message) takes what is not JSON as it stands;
    // for everything else the schema refuses the text with its own reason.
    return text
  }
}

const rawStrings = new WeakMap<z.ZodType, boolean>()

function isRawString(schema: z.ZodType): boolean {
  const known = rawStrings.get(schema) ?? isStringInside(schema)
  rawStrings.set(schema, known)
  return known
}

function isStringInside(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    const inner: unknown = schema.def.innerType
    return inner instanceof z.ZodType && isRawString(inner)
  }
  if (schema instanceof z.ZodPipe) {
    const inner: unknown = schema.def.in
    return inner instanceof z.ZodType && isRawString(inner)
  }
  return schema instanceof z.ZodString || schema instanceof z.ZodEnum
}

/** The content of an answer: the endpoint's output, or the reason why there is none. */
export type OpenedEnvelope =
  | { kind: 'success'; value: Record<string, unknown>; ignored: readonly string[] }
  | { kind: 'error'; code: string; message: string; extra: Record<string, unknown> }
  /** A web page, text that is no complete JSON, or JSON of an unknown form. */
  | { kind: 'malformed'; form: 'page' | 'incomplete' | 'unknown' }

const envelope = z.looseObject({ result: z.enum(['success', 'error']), msg: z.string().default('') })

/**
 * Opens the envelope of an answer (specification, Conventions 3 and 4; Errors 1). It calls `pause` now and then while
 * it reads a long answer.
 */
export async function openEnvelope(body: string, pause: () => Promise<void>): Promise<OpenedEnvelope> {
  let json: unknown
  try {
    json = await parseJsonInSlices(body, pause)
  } catch {
    return { kind: 'malformed', form: /^\s*</.test(body) ? 'page' : 'incomplete' }
  }
  const parsed = envelope.safeParse(json)
  if (!parsed.success) return { kind: 'malformed', form: 'unknown' }
  const { result, msg, code, ignored_parameters_unsupported: ignored, ...rest } = parsed.data
  if (result === 'error') {
    // Servers omit the code for a few kinds of failure; they mean the generic one.
    return { kind: 'error', code: typeof code === 'string' ? code : 'BAD_REQUEST', message: msg, extra: rest }
  }
  const names = z.array(z.string()).safeParse(ignored)
  return { kind: 'success', value: rest, ignored: names.success ? names.data : [] }
}

/** A success answer (specification, Conventions 3). */
export function sealSuccess(output: object, ignored: readonly string[]): Record<string, unknown> {
  return {
    result: 'success',
    msg: '',
    ...output,
    ...(ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {}),
  }
}

/** An error answer (specification, Conventions 4). */
export function sealError(code: string, message: string, extra: object = {}): Record<string, unknown> {
  return { result: 'error', msg: message, code, ...extra }
}

const deactivatedCodes = new Set(['USER_DEACTIVATED', 'REALM_DEACTIVATED'])

/** Whether the account, or its organization, was deactivated. */
export const isOfDeactivated = (failure: Failure): boolean =>
  failure.kind === 'unauthorized' && deactivatedCodes.has(failure.code)

/** What a failure with this status and code means to a client. `offline` never results: it has no answer. */
export function failureFromAnswer(
  status: number,
  opened: Extract<OpenedEnvelope, { kind: 'error' }>,
): Failure {
  const { code, message, extra } = opened
  // Below level 76, a deactivated account is told with status 403, like any refusal.
  if (status === 401 || deactivatedCodes.has(code)) return { kind: 'unauthorized', message, code }
  if (status >= 500) return { kind: 'serverFault', message, status }
  const details = Object.keys(extra).length > 0 ? { details: extra } : {}
  return { kind: 'rejected', message, code, status, ...details }
}
