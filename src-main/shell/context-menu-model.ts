import { t } from '../../src-shared/texts/texts.ts'
import type { MenuRole } from './menu-model.ts'

/** What was clicked with the right mouse button. */
export interface ContextMenuSubject {
  readonly isEditable: boolean
  readonly selectionText: string
  /** Empty: not a link. */
  readonly linkUrl: string
  /** Empty: not misspelled. */
  readonly misspelledWord: string
  readonly suggestions: readonly string[]
}

/**
 * An item of the context menu: one of the system's, or one of ours with the text that it concerns; null is a
 * separator.
 */
export type ContextMenuItem =
  | { readonly role: MenuRole }
  | { readonly label: string; readonly does: 'correct' | 'learn' | 'copy-link'; readonly text: string }
  | null

const suggestionsShown = 5

/** The context menu, as data; empty: no menu. A null item is a separator. */
export function contextMenuModel(subject: ContextMenuSubject): readonly ContextMenuItem[] {
  const { misspelledWord, linkUrl, isEditable } = subject
  const groups: ContextMenuItem[][] = []
  if (isEditable && misspelledWord !== '') {
    groups.push([
      ...subject.suggestions
        .slice(0, suggestionsShown)
        .map((word) => ({ label: word, does: 'correct' as const, text: word })),
      { label: t.native.menus.learnWord(misspelledWord), does: 'learn', text: misspelledWord },
    ])
  }
  if (/^(https?|mailto|tel):/.test(linkUrl)) {
    groups.push([{ label: t.native.menus.copyLink, does: 'copy-link', text: linkUrl }])
  }
  if (isEditable) {
    groups.push([{ role: 'cut' }, { role: 'copy' }, { role: 'paste' }, { role: 'pasteAndMatchStyle' }])
  } else if (subject.selectionText.trim() !== '') {
    groups.push([{ role: 'copy' }])
  }
  return groups.flatMap((group, index) => (index === 0 ? group : [null, ...group]))
}
