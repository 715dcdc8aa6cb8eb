import type { z } from 'zod'

/**
 * One endpoint of the service, as data: both sides are made from it.
 *
 * The input is one flat object; `encoding.ts` decides where each field travels. The output is what the success
 * envelope holds beside `result` and `msg`.
 */
export interface Endpoint<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Below the base address; `{name}` takes the input field of that name, `{name*}` at its end one with slashes. */
  readonly path: `/${string}`
  readonly input: I
  readonly output: O
  /** False where the specification needs no authentication; optional where an organization may do without it. */
  readonly authenticated?: false | 'optional'
  /** The feature level that introduced the endpoint; absent when every supported level has it. */
  readonly since?: number
  /** The request is a multipart form with one file in it; where the file is optional, any form does. */
  readonly takesFile?: true | 'optional'
  /** The answer is no envelope, but leads to the `url` of the output. */
  readonly redirects?: true
  /** Older names of input fields that a service still takes; clients never send them. */
  readonly aliases?: Readonly<Record<string, string>>
}

/** Keeps the exact types of an endpoint while checking its form. */
export const endpoint = <I extends z.ZodObject, O extends z.ZodType>(
  definition: Endpoint<I, O>,
): Endpoint<I, O> => definition

export type InputOf<E extends Endpoint> = z.input<E['input']>
export type OutputOf<E extends Endpoint> = z.output<E['output']>
