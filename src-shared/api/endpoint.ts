import type { z } from 'zod'

/**
 * One endpoint of the service, as data: the service makes its route from it and the client its call.
 *
 * The input is one flat object; `encoding.ts` decides where each field travels. The output is what the success
 * envelope holds besides `result` and `msg`.
 */
export interface Endpoint<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /**
   * Relative to the base address. `{name}` stands for the input field of that name; `{name*}` at the end may contain
   * slashes.
   */
  readonly path: `/${string}`
  readonly input: I
  readonly output: O
  /**
   * False if the specification needs no authentication; 'optional' if an organization may allow requests without it.
   */
  readonly authenticated?: false | 'optional'
  /** The feature level that introduced the endpoint; absent if every supported level has it. */
  readonly since?: number
  /** The request is a multipart form with one file in it. If the file is optional, any form is accepted. */
  readonly takesFile?: true | 'optional'
  /** The answer is not an envelope but a redirect to the `url` of the output. */
  readonly redirects?: true
  /** Older names of input fields that a service still accepts; clients never send them. */
  readonly aliases?: Readonly<Record<string, string>>
}

/** Checks the form of an endpoint and keeps its exact types. */
export const endpoint = <I extends z.ZodObject, O extends z.ZodType>(
  definition: Endpoint<I, O>,
): Endpoint<I, O> => definition

/** What is passed to an endpoint. */
export type InputOf<E extends Endpoint> = z.input<E['input']>
/** What it answers, once validated. */
export type OutputOf<E extends Endpoint> = z.output<E['output']>
