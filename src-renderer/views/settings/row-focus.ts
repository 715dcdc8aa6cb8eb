/**
 * The same control in the next row, otherwise in the previous one; null in the only row. A row is an item of a list.
 */
export function nextButton(control: HTMLElement): HTMLElement | null {
  const row = control.closest('li, [role="listitem"]')
  const list = row?.closest('.own-list')
  if (row == null || list == null) return null
  const rows = [...list.querySelectorAll('li, [role="listitem"]')]
  const at = rows.indexOf(row)
  return (rows[at + 1] ?? rows[at - 1])?.querySelector<HTMLElement>('button, select') ?? null
}
