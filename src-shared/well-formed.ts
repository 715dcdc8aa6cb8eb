/** The text with unpaired surrogates replaced; they have no UTF-8 form, and `encodeURIComponent` throws on them. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
