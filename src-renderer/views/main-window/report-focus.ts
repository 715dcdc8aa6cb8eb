import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { AccountId } from '../../../src-shared/ids.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'

/**
 * Tells the engine which place is open, null for none of one account, and whether the person is looking at it, until
 * the returned function is called.
 */
export function reportFocus(
  bridge: Bridge,
  focus: { readonly accountId: AccountId; readonly narrow: Narrow | null } | null,
): () => void {
  const report = () => {
    const isActive = document.visibilityState === 'visible' && document.hasFocus()
    void bridge.call('report-focus', { focus, isActive }).catch(() => {})
  }
  report()
  addEventListener('focus', report)
  addEventListener('blur', report)
  document.addEventListener('visibilitychange', report)
  return () => {
    removeEventListener('focus', report)
    removeEventListener('blur', report)
    document.removeEventListener('visibilitychange', report)
  }
}
