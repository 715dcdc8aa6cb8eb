import { z } from 'zod'

/** The fields of a value that its schema mentions. */
interface MentionedFields {
  /** By name; null for a value that is no object, or whose fields the schema leaves open. */
  readonly fields: ReadonlyMap<string, MentionedFields> | null
  /** Those of the rows of a list or of the entries of a record. */
  readonly rows: MentionedFields | null
}

const open: MentionedFields = { fields: null, rows: null }

/** Computed once for each schema, because events arrive by the thousand. */
const mentioned = new WeakMap<z.core.$ZodType, MentionedFields>()

/**
 * The fields of a value that its schema does not mention, each once and with its path, such as `message.weight`.
 * `value` is what the schema has read.
 */
export function unknownFields(schema: z.ZodType, value: unknown): string[] {
  const found = new Set<string>()
  collect(mentionedBy(schema), value, '', found)
  return [...found]
}

function collect(known: MentionedFields, value: unknown, path: string, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  const { fields, rows } = known
  if (rows !== null) {
    for (const row of Object.values(value)) collect(rows, row, path, found)
  } else if (fields !== null) {
    for (const [name, content] of Object.entries(value)) {
      const field = fields.get(name)
      if (field === undefined) found.add(path + name)
      else if (field !== open) collect(field, content, `${path}${name}.`, found)
    }
  }
}

function mentionedBy(schema: z.core.$ZodType): MentionedFields {
  let known = mentioned.get(schema)
  if (known === undefined) {
    known = readSchema(schema)
    mentioned.set(schema, known)
  }
  return known
}

function readSchema(schema: z.core.$ZodType): MentionedFields {
  if (schema instanceof z.core.$ZodObject) {
    const shape = Object.entries(schema._zod.def.shape)
    return { fields: new Map(shape.map(([name, field]) => [name, mentionedBy(field)])), rows: null }
  }
  if (schema instanceof z.core.$ZodArray) return ofRows(mentionedBy(schema._zod.def.element))
  if (schema instanceof z.core.$ZodRecord) return ofRows(mentionedBy(schema._zod.def.valueType))
  if (schema instanceof z.core.$ZodUnion) return schema._zod.def.options.map(mentionedBy).reduce(either)
  if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodDefault
  ) {
    return mentionedBy(schema._zod.def.innerType)
  }
  if (schema instanceof z.core.$ZodPipe) {
    // What a later part makes of a value is our own; what comes before the schema only renames.
    const { in: first, out: second } = schema._zod.def
    return mentionedBy(first instanceof z.core.$ZodTransform ? second : first)
  }
  return open
}

const ofRows = (rows: MentionedFields): MentionedFields => (rows === open ? open : { fields: null, rows })

/** The fields that one option of a union or the other mentions. */
function either(a: MentionedFields, b: MentionedFields): MentionedFields {
  if (a === open) return b
  if (b === open) return a
  if (a.fields === null || b.fields === null)
    return a.rows !== null && b.rows !== null ? ofRows(either(a.rows, b.rows)) : open
  const fields = new Map(a.fields)
  for (const [name, field] of b.fields) {
    const other = fields.get(name)
    fields.set(name, other === undefined ? field : either(other, field))
  }
  return { fields, rows: null }
}
