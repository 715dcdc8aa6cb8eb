import type { Bridge } from '../../../src-shared/bridge/connect.ts'

/** Chromium's information about the network. Not every browser has it, and not every system provides it. */
interface NetworkInformation extends EventTarget {
  /** cellular, wifi, ethernet and others, if known. */
  readonly type?: string
  /** The person wants to save data. */
  readonly saveData?: boolean
}

/**
 * Tells the engine when the network is back, and whether it is metered, now and on every change, until the returned
 * function is called. What the system does not know about the network is not reported.
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

/** Reports whether the given network is metered. */
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
