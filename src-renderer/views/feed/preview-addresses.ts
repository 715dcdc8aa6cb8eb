/** The addresses of an animated preview and of its still version; null for one that does not move. */
export function previewAddresses(source: string): { moving: string; still: string } | null {
  const form = /-anim(\.\w+)(?=$|[?&#])/
  return form.test(source) ? { moving: source, still: source.replace(form, '$1') } : null
}
