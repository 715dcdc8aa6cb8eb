import type { Store } from '../../src-main/store/database.ts'

/** A store that behaves like the given one but for the members that a test replaces. */
export const storeWith = (store: Store, replaced: Partial<Store>): Store => ({
  db: store.db,
  write: (work) => store.write(work),
  writeOnce: (work) => store.writeOnce(work),
  watch: (query, update) => store.watch(query, update),
  onChange: (tables, listener) => store.onChange(tables, listener),
  commitsTo: (table) => store.commitsTo(table),
  onRefusal: (listener) => store.onRefusal(listener),
  close: () => store.close(),
  ...replaced,
})
