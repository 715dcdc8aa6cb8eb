import { t } from '../../../src-shared/texts/texts.ts'

/** A number beside a name, with words for screen readers. */
export interface Count {
  readonly count: number
  readonly kind: '' | 'dm' | 'at' | 'plain' | 'cau'
  readonly words: string
}

/** Unread messages. */
export const unread = (count: number, kind: '' | 'dm' | 'at' = ''): Count => ({
  count,
  kind,
  words: t.shared.unread(count),
})

/** Things that wait for the person's decision. */
export const needsYou = (count: number): Count => ({
  count,
  kind: 'cau',
  words: t.mainWindow.sidebar.needsYou(count),
})

/** The length of a list that needs no attention. */
export const plain = (count: number): Count => ({
  count,
  kind: 'plain',
  words: t.mainWindow.sidebar.entries(count),
})
