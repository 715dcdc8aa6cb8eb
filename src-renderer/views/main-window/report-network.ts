import type { Bridge } from '../../../src-shared/bridge/connect.ts'

/** What Chromium says of the network; not every browser has it, and not every system tells it. */
interface NetworkInformation extends EventTarget {
  /** cellular, wifi, ethernet and others, where it is known. */
  readonly type?: string
  /** The person wants as little as possible to be carried. */
  readonly saveData?: boolean
}

/**
 * Tells the engine when the network is back, and whether what it carries costs, now and whenever that changes, until
 * the returned function is called. What the system does not say of the network is not told.
 */
export function reportNetwork(bridge: Bridge): () => void {
  const reportBack = () => void bridge.call('network-is-back', {}).catch(() => {})
  addEventListener('online', reportBack)
  const stopCosts = reportCosts(bridge)
  return () => {
    removeEventListener('online', reportBack)
    stopCosts()
  }
}

/** The part about costs, of the network that is given. */
export function reportCosts(
  bridge: Bridge,
  network = (navigator as Navigator & { readonly connection?: NetworkInformation }).connection,
): () => void {
  if (network === undefined) return () => {}
  let told: boolean | null = null
  const report = () => {
    const isMetered = network.saveData === true || network.type === 'cellular'
    if (isMetered === told) return
    told = isMetered
    void bridge.call('report-network', { isMetered }).catch(() => {})
  }
  report()
  network.addEventListener('change', report)
  return () => network.removeEventListener('change', report)
}
