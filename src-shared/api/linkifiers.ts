import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** The same object, with a template made of what older servers have instead. */
const templateFrom =
  (older: string, convert: (text: string) => string) =>
  (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const { [older]: text, ...rest } = value as Record<string, unknown>
    return typeof text === 'string' ? { url_template: convert(text), ...rest } : value
  }

/**
 * A pattern whose matches become links (specification, PATCH /realm/filters/{filter_id}). Before feature level 176 the
 * address has the form of Python's format strings.
 */
export const apiLinkifier = z.preprocess(
  templateFrom('url_format', (format) =>
    format.replace(/%%|%\((\w+)\)s/g, (_all, name?: string) => (name === undefined ? '%' : `{${name}}`)),
  ),
  z.looseObject({ id: z.int(), pattern: z.string(), url_template: z.string() }),
)

/**
 * A website that can run code of one language (specification, POST /realm/playgrounds). Before feature level 196 the
 * code follows an address.
 */
export const apiPlayground = z.preprocess(
  templateFrom('url_prefix', (prefix) => `${prefix}{code}`),
  z.looseObject({
    id: z.int(),
    name: z.string(),
    pygments_language: z.string(),
    url_template: z.string(),
  }),
)

/** Linkifiers and code playgrounds of the organization. */
export const linkifiers = {
  getLinkifiers: endpoint({
    method: 'GET',
    path: '/realm/linkifiers',
    input: z.object({}),
    output: z.looseObject({ linkifiers: z.array(apiLinkifier) }),
  }),
  reorderLinkifiers: endpoint({
    method: 'PATCH',
    path: '/realm/linkifiers',
    input: z.object({ ordered_linkifier_ids: z.array(z.int()) }),
    output: z.looseObject({}),
  }),
  addLinkifier: endpoint({
    method: 'POST',
    path: '/realm/filters',
    input: z.object({ pattern: z.string(), url_template: z.string() }),
    output: z.looseObject({ id: z.int() }),
  }),
  updateLinkifier: endpoint({
    method: 'PATCH',
    path: '/realm/filters/{filter_id}',
    since: 57,
    input: z.object({ filter_id: z.int(), pattern: z.string(), url_template: z.string() }),
    output: z.looseObject({}),
  }),
  removeLinkifier: endpoint({
    method: 'DELETE',
    path: '/realm/filters/{filter_id}',
    input: z.object({ filter_id: z.int() }),
    output: z.looseObject({}),
  }),
  addPlayground: endpoint({
    method: 'POST',
    path: '/realm/playgrounds',
    since: 49,
    input: z.object({ name: z.string(), pygments_language: z.string(), url_template: z.string() }),
    output: z.looseObject({ id: z.int() }),
  }),
  removePlayground: endpoint({
    method: 'DELETE',
    path: '/realm/playgrounds/{playground_id}',
    input: z.object({ playground_id: z.int() }),
    output: z.looseObject({}),
  }),
}
