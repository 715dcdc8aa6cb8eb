import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { parse } from 'yaml'

/** An independent description of the API to check the service against. Null if it is not available. */
export interface OpenApi {
  /** How a captured event violates the description; empty if it conforms, null if it is not described. */
  eventFaults(event: Readonly<Record<string, unknown>>): string[] | null
  /** Keys that are described for events of these kinds and that none of them has. */
  missingInEvents(events: readonly Readonly<Record<string, unknown>>[]): string[]
  /** Keys that are described for an endpoint's answer and that none of these answers has. */
  missingInAnswers(method: string, path: string, answers: readonly unknown[]): string[]
  /** How the answer of an endpoint violates the description; null if the endpoint is not described. */
  answerFaults(method: string, path: string, answer: unknown): string[] | null
  /** Every described endpoint, as `GET /path`. */
  readonly endpoints: readonly string[]
}

type Node = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- a document of unknown form

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** The path of the description: from the environment, or beside the repository. */
const file = resolve(
  process.env['DUNLIN_OPENAPI'] ??
    resolve(import.meta.dirname, '../../../shared/reference/openapi-fl372.yaml'),
)

/** Reads the description; null if there is none. */
export function openApi(): OpenApi | null {
  if (!existsSync(file)) return null
  // It is trusted to be an OpenAPI description, because the person who runs the tests chose it.
  const document = parse(readFileSync(file, 'utf8'), { maxAliasCount: -1 }) as Node
  const merged = new Map<Node, Node>()
  const at = (reference: string): Node =>
    reference
      .slice(2)
      .split('/')
      .reduce<Node>((node, step) => node[step.replaceAll('~1', '/').replaceAll('~0', '~')] as Node, document)

  /**
   * A schema without references, with the parts of an `allOf` merged: each part alone forbids the keys of the others.
   */
  const plain = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(plain)
    if (!isNode(node)) return node
    const known = merged.get(node)
    if (known !== undefined) return known
    const result: Node = {}
    merged.set(node, result)
    Object.assign(result, unplain(node))
    return result
  }
  const unplain = (node: Node): Node => {
    if (typeof node['$ref'] === 'string') return plain(at(node['$ref'])) as Node
    const result: Node = {}
    for (const [key, value] of Object.entries(node)) {
      if (key === 'example' || key === 'examples' || (key === 'description' && typeof value === 'string'))
        continue
      if (key === 'properties') {
        result[key] = Object.fromEntries(
          Object.entries(value as Node).map(([name, one]) => [name, plain(one)]),
        )
      } else result[key] = plain(value)
    }
    if (!Array.isArray(result['allOf'])) return result
    const { allOf, ...rest } = result
    return [...(allOf as Node[]), rest].reduce(merge, {})
  }

  const ajv = new Ajv({ strict: false, allErrors: true })
  const validators = new Map<Node, ValidateFunction>()
  const faults = (schema: Node, value: unknown): string[] => {
    const validate = validators.get(schema) ?? ajv.compile(schema)
    validators.set(schema, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
  const answerOf = (method: string, path: string): Node | undefined => {
    const operation = document['paths'][path]?.[method.toLowerCase()]
    const response = operation?.responses?.['200']
    if (response === undefined) return undefined
    return (plain(response) as Node)['content']?.['application/json']?.schema
  }
  const described = largestChoice(answerOf('GET', '/events')) ?? []
  const literal = (schema: Node | undefined): unknown => schema?.['enum']?.[0]
  const formOf = (event: Readonly<Record<string, unknown>>): Node | undefined =>
    described.find(
      ({ properties }) =>
        literal(properties.type) === event['type'] &&
        (properties.op === undefined || literal(properties.op) === event['op']),
    )
  return {
    missingInEvents(events) {
      const byForm = new Map<Node, unknown[]>()
      for (const event of events) {
        const form = formOf(event)
        if (form !== undefined) byForm.set(form, [...(byForm.get(form) ?? []), event])
      }
      return [...byForm].flatMap(([form, list]) => {
        const { type, op } = form['properties']
        return missing(form, list).map((path) => [literal(type), literal(op), path].filter(Boolean).join(' '))
      })
    },
    missingInAnswers(method, path, answers) {
      const schema = answerOf(method, path)
      return schema === undefined ? [] : missing(schema, answers)
    },
    eventFaults(event) {
      const form = formOf(event)
      return form === undefined ? null : faults(form, event)
    },
    answerFaults(method, path, answer) {
      const schema = answerOf(method, path)
      return schema === undefined ? null : faults(schema, answer)
    },
    endpoints: Object.entries(document['paths'] as Node).flatMap(([path, operations]) =>
      Object.keys(operations as Node).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  }
}

/** The kinds of events: the longest list of alternatives in a schema. */
function largestChoice(node: unknown, depth = 0): Node[] | undefined {
  if (!isNode(node) || depth > 12) return undefined
  if (Array.isArray(node['oneOf']) && node['oneOf'].length > 20) return node['oneOf'] as Node[]
  for (const value of Object.values(node)) {
    const found = largestChoice(value, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** The paths of keys that a schema has and that none of the values has, also inside lists and maps. */
function missing(schema: Node, values: readonly unknown[], path = ''): string[] {
  const found: string[] = []
  const objects = values.filter(isNode)
  for (const [name, below] of Object.entries((schema['properties'] ?? {}) as Node)) {
    const inside = objects.filter((one) => !Array.isArray(one) && name in one).map((one) => one[name])
    const here = `${path}/${name}`
    if (inside.length === 0 && objects.length > 0) found.push(here)
    else found.push(...missing(below as Node, inside, here))
  }
  const below = (schema['items'] ?? schema['additionalProperties']) as unknown
  if (isNode(below))
    found.push(
      ...missing(
        below,
        objects.flatMap((one) => Object.values(one)),
        `${path}/*`,
      ),
    )
  return found
}

function merge(first: Node, second: Node): Node {
  const result: Node = { ...first, ...second }
  if (first['properties'] !== undefined && second['properties'] !== undefined) {
    result['properties'] = { ...first['properties'] }
    for (const [name, schema] of Object.entries(second['properties'] as Node))
      result['properties'][name] = merge(result['properties'][name] ?? {}, schema as Node)
  }
  if (Array.isArray(first['required']) && Array.isArray(second['required']))
    result['required'] = [...new Set([...first['required'], ...second['required']])]
  return result
}
