import { areSameHolders, type Holders } from '../../../src-shared/model/organization-edits.ts'

/** What a property of something that is shared may be. */
export type PropertyValue = string | number | boolean | null | Holders

/** One property with its new value, and what the person saw before. */
interface PropertyChange {
  readonly property: string
  readonly value: PropertyValue
  readonly before?: PropertyValue | undefined
}

export const isHolders = (value: PropertyValue): value is Holders =>
  typeof value === 'object' && value !== null

/** Whether both say the same. */
export const isSameValue = (a: PropertyValue, b: PropertyValue): boolean =>
  isHolders(a) && isHolders(b) ? areSameHolders(a, b) : a === b

/**
 * What remains of two changes of one thing (see `OfflineAction.join`): the last value, in the place of what was there
 * before the first; nothing when that is the same.
 */
export function joinedChange<C extends PropertyChange>(earlier: C, later: C): C | null | undefined {
  if (earlier.property !== later.property) return undefined
  if (earlier.before !== undefined && isSameValue(earlier.before, later.value)) return null
  return { ...later, before: earlier.before }
}
