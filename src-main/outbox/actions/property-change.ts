import { areSameHolders, type Holders } from '../../../src-shared/model/organization-edits.ts'

/** The value of a property of a channel, folder or group. */
export type PropertyValue = string | number | boolean | null | Holders

/** A property with its new value, and the value that the person saw before. */
interface PropertyChange {
  readonly property: string
  readonly value: PropertyValue
  readonly before?: PropertyValue | undefined
}

/** Whether the value of a property is the holders of a permission. */
export const isHolders = (value: PropertyValue): value is Holders =>
  typeof value === 'object' && value !== null

/** Whether two values are equal. */
export const isSameValue = (a: PropertyValue, b: PropertyValue): boolean =>
  isHolders(a) && isHolders(b) ? areSameHolders(a, b) : a === b

/**
 * Joins two changes of one object (see `OfflineAction.join`): the later value with the value before the earlier change;
 * null if these are equal; undefined if the changes concern different properties.
 */
export function joinedChange<C extends PropertyChange>(earlier: C, later: C): C | null | undefined {
  if (earlier.property !== later.property) return undefined
  if (earlier.before !== undefined && isSameValue(earlier.before, later.value)) return null
  return { ...later, before: earlier.before }
}
