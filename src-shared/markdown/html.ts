const unsafe = /[&<>"]/g
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as HTML, safe both between tags and inside a double-quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(unsafe, (character) => entities[character] ?? character)
}

/**
 * Renders one element as HTML: values are escaped and attributes are in alphabetical order. `undefined` omits an
 * attribute, and `true` writes it without a value.
 *
 * `inner` must be HTML already; `undefined` makes a void element (`<img>`).
 */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string | true | undefined>>,
  inner?: string,
): string {
  let html = `<${tag}`
  for (const name of Object.keys(attributes).sort()) {
    const value = attributes[name]
    if (value === undefined) continue
    html += value === true ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`
  }
  return inner === undefined ? `${html}>` : `${html}>${inner}</${tag}>`
}
