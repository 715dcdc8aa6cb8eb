import { t } from '../../src-shared/texts/texts.ts'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { changeDevice } from './change-device.ts'
import { once } from './data/once.ts'
import type { SavedSearch } from './searches-of.ts'
import { toasts } from './toast.svelte.ts'

/** Saves a search under a name; if it is saved already, its name changes. */
export function saveSearch(bridge: Bridge, search: SavedSearch): Promise<void> {
  return change(bridge, (all) =>
    all.some((one) => isSame(one, search))
      ? all.map((one) => (isSame(one, search) ? search : one))
      : [...all, search],
  )
}

/** Deletes a saved search, and offers to undo it. */
export async function removeSearch(bridge: Bridge, search: SavedSearch): Promise<void> {
  let at = 0
  await change(bridge, (all) => {
    at = Math.max(
      0,
      all.findIndex((one) => isSame(one, search)),
    )
    return all.filter((one) => !isSame(one, search))
  })
  toasts.show({
    words: t.shared.removed(search.name),
    undo: () => void change(bridge, (all) => all.toSpliced(at, 0, search)),
  })
}

const isSame = (a: SavedSearch, b: SavedSearch) => a.accountId === b.accountId && a.text === b.text

async function change(
  bridge: Bridge,
  changed: (all: readonly SavedSearch[]) => readonly SavedSearch[],
): Promise<void> {
  try {
    const seen = await once(bridge, 'device-settings', {})
    await changeDevice(bridge, seen, ({ savedSearches }) => ({ savedSearches: changed(savedSearches) }))
  } catch (error) {
    toasts.failed(error)
  }
}
