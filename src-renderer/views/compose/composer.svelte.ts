import { tick, untrack } from 'svelte'
import type { DraftId } from '../../../src-shared/ids.ts'
import type { Draft } from '../../../src-shared/model/draft.ts'
import { onClosing } from '../../port.ts'
import type { ComposeText } from '../../state/writing/compose.svelte.ts'
import { openCompose, type Selection } from '../../state/writing/open-compose.ts'

/** How a text is shown: as source, as preview, or both side by side. */
export type WritingMode = 'write' | 'preview' | 'both'

interface Work {
  /** The text being written; null while there is none. */
  readonly text: () => ComposeText | null
  /** Its draft as the engine has it: null for none, undefined while unknown. */
  readonly draft: () => Draft | null | undefined
  /** Whether another view shows the text after this one, so that leaving this one does not leave the text. */
  readonly goesOn: boolean
  /** Shows another draft of the conversation; undefined where none is open. */
  readonly pick?: (draftId: DraftId) => Promise<void>
}

/**
 * Connects a text with its draft and its field: the text follows the draft, is saved at once when the person leaves, and
 * receives words that are inserted from elsewhere. Must be created while a component is created.
 */
export class Composer {
  field = $state.raw<HTMLTextAreaElement | null>(null)
  mode = $state<WritingMode>('write')
  isExpanded = $state(false)
  /** Whether the person compares the two versions of a draft in conflict. */
  isComparing = $state(false)

  constructor({ text, draft, goesOn, pick }: Work) {
    $effect(() => {
      const own = text()
      const known = draft()
      if (own !== null && known !== undefined) untrack(() => own.follow(known))
    })
    $effect(() => {
      const own = text()
      if (own === null) return
      return untrack(() =>
        attachField(own, {
          field: () => this.field,
          focus: (selection) => this.focus(selection),
          // A new message gets its draft from what is written into it.
          isKnown: () => goesOn || draft() !== undefined,
          goesOn,
          pick,
        }),
      )
    })
  }

  /** Focuses the field, which a preview no longer hides then. */
  async focus(selection?: Selection): Promise<void> {
    if (this.mode === 'preview') this.mode = 'write'
    if (this.field?.hidden === true) await tick()
    this.field?.focus()
    if (selection === undefined) return
    // A field that has just appeared does not show its text yet.
    await tick()
    this.field?.setSelectionRange(...selection)
  }
}

/** Connects a text with its field while the field is shown; returns a function that disconnects them. */
export function attachField(
  text: ComposeText,
  {
    field,
    focus,
    isKnown = () => true,
    goesOn,
    pick,
  }: Pick<Work, 'goesOn'> & {
    readonly field: () => HTMLTextAreaElement | null
    readonly focus: (selection?: Selection) => Promise<void>
    /** Whether it is known which draft the text continues. */
    readonly isKnown?: () => boolean
    readonly pick?: Work['pick'] | undefined
  },
): () => void {
  const onHide = () => void (document.visibilityState === 'hidden' && text.leave())
  const stop = onClosing(() => text.leave())
  const stopOffering = openCompose.offer({
    focus: (selection) => void focus(selection),
    pick,
    passOn:
      pick &&
      ((place, conversation) => {
        text.passOn(conversation)
        const own = field()
        if (own !== null && own.closest('.cmp')?.contains(document.activeElement) === true)
          openCompose.focusAt(place, [own.selectionStart, own.selectionEnd])
      }),
    isFor: (accountId, conversation) => isKnown() && text.isFor(accountId, conversation),
    get text() {
      return text.text
    },
    append: (words, { takesFocus, beginning } = { takesFocus: true }) => {
      text.append(words, beginning)
      // After the field shows them, so that the cursor is behind them.
      queueMicrotask(() => {
        void (takesFocus ? focus() : Promise.resolve()).then(() => {
          const shown = field()
          shown?.setSelectionRange(shown.value.length, shown.value.length)
        })
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
