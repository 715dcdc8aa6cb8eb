import { keepInEntry, keptInEntry } from '../navigation/history-entry.ts'

const field = 'listParams'
/** How many rows are listed at first, and how many more follow each time. */
const pageSize = 60
const mostRows = 1_000

/** The parameters of a long list; back, forward and reload restore them. Create it while a component is created. */
export class ListParams {
  text = $state('')
  limit = $state(0)

  constructor() {
    const kept = keptInEntry(field)
    // Only this window writes it.
    const { text = '', limit = pageSize } = (kept ?? {}) as { text?: string; limit?: number }
    this.text = text
    this.limit = limit
    let isNew = true
    $effect(() => {
      const params = { text: this.text, limit: this.limit }
      if (!isNew) keepInEntry({ [field]: params })
      isNew = false
    })
  }

  /** How many more rows `showMore` shows at most. */
  get step(): number {
    return pageSize
  }

  showMore(): void {
    this.limit = Math.min(mostRows, this.limit + pageSize)
  }

  /** For the field: Escape clears it; in an empty field, Escape goes back, as everywhere. */
  onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || this.text === '') return
    event.preventDefault()
    this.text = ''
  }
}
