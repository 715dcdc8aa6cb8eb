import { foldName } from '../../src-shared/model/name-match.ts'

/** Whether a text contains the typed filter, regardless of case and accents; an empty filter matches everything. */
export const matchesFilter = (text: string, filter: string): boolean =>
  foldName(text).includes(foldName(filter.trim()))
