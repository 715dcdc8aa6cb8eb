import type { QueryName } from './queries.ts'

/**
 * A query's answer at the moment when a window was loaded. The window shows it at once and then watches the query with
 * its fingerprint, so the engine sends an answer only if its fingerprint differs.
 */
export interface OpeningAnswer {
  readonly name: QueryName
  readonly params: unknown
  readonly fingerprint: string
  /** Its type is the query's result. */
  readonly value: unknown
}

/** The id of the page element that holds the opening answers, as a JSON list. */
export const openingElement = 'opening'

/** What a window shows first. The host renders it from the opening answers. */
export interface FirstPicture {
  /** Attributes of the page's root element; null: the root does not have this attribute. */
  readonly attributes: Readonly<Record<string, string | null>>
  /** The HTML inside the element that the window mounts in. */
  readonly body: string
}

/** Fingerprint of a JSON text: equal for equal texts, practically never equal for different ones. */
export function fingerprintOf(json: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    a = Math.imul(a ^ code, 2_654_435_761)
    b = Math.imul(b ^ code, 1_597_334_677)
  }
  return `${json.length.toString(36)}-${(a >>> 0).toString(36)}-${(b >>> 0).toString(36)}`
}
