import type { Store } from '../../../src-main/store/database.ts'
import { storeWith } from '../../support/store-with.ts'

/** Calls back before every transaction, which does not begin if that throws, and after every commit. */
export function watchedStore(store: Store, begins: () => void, committed: () => void): Store {
  let depth = 0
  const changes = () => store.db.get<{ n: number }>('SELECT total_changes() AS n')?.n
  const counted =
    (write: Store['write'], hasCommitted: (before: number | undefined) => boolean): Store['write'] =>
    (work) => {
      if (depth === 0) begins()
      depth++
      const before = changes()
      let result: ReturnType<typeof work>
      try {
        result = write(work)
      } finally {
        depth--
      }
      if (depth === 0 && hasCommitted(before)) committed()
      return result
    }
  return storeWith(store, {
    write: counted(
      (work) => store.write(work),
      () => true,
    ),
    // A single statement that changes nothing commits nothing, and the caller continues.
    writeOnce: counted(
      (work) => store.writeOnce(work),
      (before) => changes() !== before,
    ),
  })
}
