import { t } from '../../../src-shared/texts/texts.ts'
import { doable, type Doable } from '../../state/keys/doable.ts'
import { shortcuts, type ShortcutOf } from '../../state/keys/shortcuts.ts'
import type { WritingMode } from './composer.svelte.ts'

type ForBox<T> = { readonly [N in ShortcutOf<'compose'>]?: T | undefined }

/** What a person can do in a box for writing now, by shortcut; what makes no sense at the moment is missing. */
export type BoxActs = ForBox<() => void>

/** What the names of a box's acts depend on. */
interface BoxState {
  readonly isNew: boolean
  readonly isOnline: boolean
  readonly isExpanded: boolean
  readonly mode: WritingMode
}

interface Box {
  element(): HTMLElement | null
  acts(): BoxActs
  state(): BoxState
  /** Returns the focus to the text. */
  focusText(): void
}

/**
 * Offers the acts of a box for choosing them by name, until the returned function is called. While the person writes in
 * one box, the acts of the others are not offered.
 */
export function offerBoxActs(box: Box): () => void {
  return doable.offer(() => {
    const focused = document.activeElement?.closest('.cmp')
    if (focused != null && focused !== box.element()) return []
    return doablesOf(box.acts(), box.state(), (act) => {
      box.focusText()
      act()
    })
  })
}

/** The acts of a box with their names, in the order of the shortcuts. */
export function doablesOf(acts: BoxActs, state: BoxState, run: (act: () => void) => void): Doable[] {
  const words = wordsIn(state)
  return shortcuts.flatMap(({ name, place }): Doable[] => {
    if (place !== 'compose') return []
    const [act, own] = [acts[name], words[name]]
    if (act === undefined) return []
    return [{ name, object: '', ...(own === undefined ? {} : { words: own }), run: () => run(act) }]
  })
}

/** The names of acts that depend on the box; the others have their shortcut's. */
function wordsIn({ isNew, isOnline, isExpanded, mode }: BoxState): ForBox<string> {
  const { modes, expandBox, shrinkBox, queue } = t.compose
  return {
    send: !isNew ? t.shared.save : isOnline ? undefined : queue,
    'expand-box': isExpanded ? shrinkBox : expandBox,
    preview: mode === 'preview' ? modes.write : undefined,
    'side-by-side': mode === 'both' ? modes.write : undefined,
  }
}
