import type { Emoji } from '../../src-shared/model/message.ts'
import type { Texts } from '../../src-shared/texts/texts.ts'
import { stepAlong } from '../state/keys/direction.ts'

/** One emoji in the grid. */
export interface GridCell {
  /** Unique in the grid; the same emoji can be in several sections. */
  readonly key: string
  readonly emoji: Emoji
  /** The characters; empty for a picture. */
  readonly text: string
  readonly imageUrl: string | null
  readonly names: readonly string[]
  readonly words: readonly string[]
  /** The characters in each skin tone; empty if it has none. */
  readonly tones: readonly string[]
}

/** The sections of the grid. */
export type SectionName = 'found' | 'often' | 'organization' | keyof Texts['emoji']['groups']

/** The emoji under one title. */
export interface GridSection {
  readonly name: SectionName
  readonly title: string
  readonly cells: readonly GridCell[]
}

/** A line of the grid: the title of a section, or as many emoji as fit. */
export type GridRow =
  | { readonly kind: 'title'; readonly key: string; readonly title: string; readonly name: SectionName }
  | {
      readonly kind: 'cells'
      readonly key: string
      readonly from: number
      readonly cells: readonly GridCell[]
    }

/** The lines of the sections; `from` is the number of emoji before a line. */
export function gridRows(sections: readonly GridSection[], columns: number): GridRow[] {
  const rows: GridRow[] = []
  let from = 0
  for (const { name, title, cells } of sections) {
    if (cells.length === 0) continue
    rows.push({ kind: 'title', key: `title-${title}`, title, name })
    for (let start = 0; start < cells.length; start += columns) {
      const line = cells.slice(start, start + columns)
      rows.push({ kind: 'cells', key: `${title}-${start}`, from, cells: line })
      from += line.length
    }
  }
  return rows
}

/** The emoji that an arrow key leads to from the one at `active`; null for any other key, and for an empty grid. */
export function stepInGrid(rows: readonly GridRow[], active: number, key: string): number | null {
  const lines = rows.filter((row) => row.kind === 'cells')
  const at = lines.findIndex(({ from, cells }) => from <= active && active < from + cells.length)
  const line = lines[at]
  const last = lines.at(-1)
  if (line === undefined || last === undefined) return null
  const end = last.from + last.cells.length - 1
  const column = active - line.from
  const onLine = (to: (typeof lines)[number] | undefined) =>
    to === undefined ? active : to.from + Math.min(column, to.cells.length - 1)
  switch (key) {
    case 'ArrowRight':
    case 'ArrowLeft':
      return Math.max(0, Math.min(end, active + stepAlong(key)))
    case 'ArrowDown':
      return onLine(lines[at + 1])
    case 'ArrowUp':
      return onLine(lines[at - 1])
    case 'PageDown':
      return onLine(lines[Math.min(lines.length - 1, at + 6)])
    case 'PageUp':
      return onLine(lines[Math.max(0, at - 6)])
    default:
      return null
  }
}
