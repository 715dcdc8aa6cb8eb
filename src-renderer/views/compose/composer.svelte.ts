import { untrack } from 'svelte'
import type { Draft } from '../../../src-shared/model/draft.ts'
import { onClosing } from '../../port.ts'
import type { ComposeText } from '../../state/compose.svelte.ts'
import { openCompose } from '../../state/open-compose.ts'

interface Work {
  /** The text being written; null while there is none. */
  readonly text: () => ComposeText | null
  /** Its draft as the engine has it: null for none, undefined while unknown. */
  readonly draft: () => Draft | null | undefined
  /** Whether another view goes on with the text when this one ends. */
  readonly goesOn: boolean
}

/**
 * What writing a message takes, whoever it is for: the text follows its draft, nothing typed waits for a timer when the
 * person turns away, and words from elsewhere find the field. Create it while a component is created.
 */
export class Composer {
  field = $state.raw<HTMLTextAreaElement | null>(null)
  isExpanded = $state(false)
  /** Whether the person compares the two versions of a draft in conflict. */
  isComparing = $state(false)

  constructor({ text, draft, goesOn }: Work) {
    $effect(() => {
      const own = text()
      const known = draft()
      if (own !== null && known !== undefined) untrack(() => own.follow(known))
    })
    $effect(() => {
      const own = text()
      if (own === null) return
      return untrack(() => attend(own, { field: () => this.field, goesOn }))
    })
  }
}

/** Looks after a text while its field is shown; returns how to end that. */
export function attend(
  text: ComposeText,
  { field, goesOn }: { readonly field: () => HTMLTextAreaElement | null; readonly goesOn: boolean },
): () => void {
  const onHide = () => void (document.visibilityState === 'hidden' && text.leave())
  const stop = onClosing(() => text.leave())
  const stopOffering = openCompose.offer({
    focus: () => field()?.focus(),
    append: (words) => {
      text.append(words)
      // Once the field shows them, so that the person continues after them.
      queueMicrotask(() => {
        const shown = field()
        shown?.focus()
        shown?.setSelectionRange(shown.value.length, shown.value.length)
      })
    },
  })
  document.addEventListener('visibilitychange', onHide)
  return () => {
    stop()
    stopOffering()
    document.removeEventListener('visibilitychange', onHide)
    if (!goesOn) void text.leave()
  }
}
