/** The address of a moving preview, and of the same one standing still; null for what does not move. */
export function previewAddresses(source: string): { moving: string; still: string } | null {
  const form = /-anim(\.\w+)(?=$|[?&#])/
  return form.test(source) ? { moving: source, still: source.replace(form, '$1') } : null
}
