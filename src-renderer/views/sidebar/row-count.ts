import { t } from '../../../src-shared/texts/texts.ts'

/** A number beside a name; the words are for those who hear it. */
export interface Count {
  readonly count: number
  readonly kind: '' | 'dm' | 'at' | 'plain' | 'cau'
  readonly words: string
}

/** Messages that nobody here has read. */
export const unread = (count: number, kind: '' | 'dm' | 'at' = ''): Count => ({
  count,
  kind,
  words: t.shared.unread(count),
})

/** Things on which nothing goes on until the person decides. */
export const needsYou = (count: number): Count => ({
  count,
  kind: 'cau',
  words: t.mainWindow.sidebar.needsYou(count),
})

/** How many a list has, which asks for nothing. */
export const plain = (count: number): Count => ({
  count,
  kind: 'plain',
  words: t.mainWindow.sidebar.entries(count),
})
