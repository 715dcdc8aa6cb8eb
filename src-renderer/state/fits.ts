import { foldName } from '../../src-shared/model/name-match.ts'

/** Whether what is typed to filter a list stands in a text, without regard to case and accents; nothing typed fits all. */
export const fits = (text: string, filter: string): boolean =>
  foldName(text).includes(foldName(filter.trim()))
