import { failureOf } from '../../src-shared/failure.ts'
import type { Store, WritableDb } from './database.ts'

/** Writes what the app can do without. If the disk refuses it, nothing is thrown: `onRefused` hears the reason. */
export function writeIfPossible(
  store: Pick<Store, 'write'>,
  work: (db: WritableDb) => void,
  onRefused: (reason: string) => void = () => {},
): void {
  try {
    store.write(work)
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind !== 'device') throw error
    onRefused(failure.message)
  }
}
