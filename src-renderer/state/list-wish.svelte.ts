import { keepInEntry, keptInEntry } from './history-entry.ts'

const field = 'listWish'

/** What is asked of a long list; back, forward and a reload ask for the same. Made while a component is. */
export class ListWish {
  text = $state('')
  limit = $state(0)

  /** `pageSize`: as many rows at first. */
  constructor(pageSize: number) {
    const kept = keptInEntry(field)
    // Only this window writes it.
    const { text = '', limit = pageSize } = (kept ?? {}) as { text?: string; limit?: number }
    this.text = text
    this.limit = limit
    let isNew = true
    $effect(() => {
      const wish = { text: this.text, limit: this.limit }
      if (!isNew) keepInEntry({ [field]: wish })
      isNew = false
    })
  }

  /** For the field: Escape empties it; in an empty one it is a step out, as everywhere. */
  onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.isComposing || this.text === '') return
    event.preventDefault()
    this.text = ''
  }
}
