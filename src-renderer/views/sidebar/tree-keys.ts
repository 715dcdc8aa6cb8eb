import { t } from '../../../src-shared/texts/texts.ts'

/** A row of the channel tree that can be opened and closed. */
export interface TreeBranch {
  /** The `data-item` of its row. */
  readonly key: string
  readonly opens: boolean
}

const rowsIn = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-row]')]
const levelOf = (row: HTMLElement) => Number(row.getAttribute('aria-level') ?? 0)

/**
 * Moves the focus among the sidebar's rows: up, down, to the first and the last row. In the channel tree also to a
 * row's children and its parent, mirrored for right-to-left text. `onBranch` opens and closes rows. Keys with Ctrl,
 * Alt, Shift or Meta are left to others.
 */
export function walkRows(
  event: KeyboardEvent,
  list: HTMLElement,
  onBranch: (branch: TreeBranch) => void,
): void {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
  const rows = rowsIn(list)
  const at = rows.findIndex((row) => row === document.activeElement)
  const row = rows[at]
  if (row === undefined) return
  const [inward, outward] = t.direction === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  const go = (to: HTMLElement | undefined) => to?.focus()
  const expanded = row.getAttribute('aria-expanded')
  const key = row.dataset['item'] ?? ''
  const isInTree = row.getAttribute('role') === 'treeitem'
  switch (event.key) {
    case 'ArrowDown':
      go(rows[at + 1])
      break
    case 'ArrowUp':
      go(rows[at - 1])
      break
    case 'Home':
      go(rows[0])
      break
    case 'End':
      go(rows.at(-1))
      break
    case inward:
      if (!isInTree) return
      if (expanded === 'false') onBranch({ key, opens: true })
      else if (expanded === 'true' && levelOf(rows[at + 1] ?? row) > levelOf(row)) go(rows[at + 1])
      break
    case outward:
      if (!isInTree) return
      if (expanded === 'true') onBranch({ key, opens: false })
      else go(rows.slice(0, at).findLast((above) => levelOf(above) > 0 && levelOf(above) < levelOf(row)))
      break
    default:
      return
  }
  event.preventDefault()
}
