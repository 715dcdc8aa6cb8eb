// Some objects are sent many times: an event to every receiver, a person to everybody who signs in. Their JSON is
// made once and stored with them.

const texts = new WeakMap<object, string>()

/** The JSON of an object that nobody changes any more; made once. */
export function jsonOf(object: object): string {
  let text = texts.get(object)
  if (text === undefined) {
    text = JSON.stringify(object)
    texts.set(object, text)
  }
  return text
}

/** The property under which an object provides its own JSON. */
export const readyJson = Symbol('JSON')

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  // Only text is ever stored there.
  return readyJson in value ? (value[readyJson] as string) : texts.get(value)
}

/** Undefined for values without JSON; the type of `JSON.stringify` does not say so. */
const newText = (value: unknown): string | undefined => JSON.stringify(value)

const isReadyList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && textOf(value[0]) !== undefined

/** Like `JSON.stringify`; lists of objects whose JSON is known are assembled from it. */
export function answerText(answer: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(answer)
  if (!fields.some(([, value]) => isReadyList(value))) return JSON.stringify(answer)
  const parts: string[] = []
  for (const [name, value] of fields) {
    const text = isReadyList(value)
      ? `[${value.map((one) => textOf(one) ?? newText(one) ?? 'null').join()}]`
      : newText(value)
    if (text !== undefined) parts.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${parts.join()}}`
}
