import type { QueryName } from './queries.ts'

/**
 * The answer of a query as it was when a window was loaded. The window shows it at once and asks for what came after
 * it, naming the mark: only an answer of another mark is sent.
 */
export interface OpeningAnswer {
  readonly name: QueryName
  readonly params: unknown
  readonly mark: string
  /** Has the type of the query's result. */
  readonly value: unknown
}

/** The id of the element of the page in which a window finds the opening answers, as a list in JSON. */
export const openingElement = 'opening'

/** What a window shows first, drawn in the host from the opening answers. */
export interface FirstPicture {
  /** Of the page's root; null for those that it has not. */
  readonly attributes: Readonly<Record<string, string | null>>
  /** What stands in the element in which the window is, as HTML. */
  readonly body: string
}

/** What tells answers apart by their text: the same for equal ones, and for others so good as never. */
export function markOf(json: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    a = Math.imul(a ^ code, 2_654_435_761)
    b = Math.imul(b ^ code, 1_597_334_677)
  }
  return `${json.length.toString(36)}-${(a >>> 0).toString(36)}-${(b >>> 0).toString(36)}`
}
