import type { Bridge } from '../../src-shared/bridge/connect.ts'
import type { DeviceSettings } from '../../src-shared/bridge/settings.ts'

/** A list that has something or has it not, as is wanted, whichever it was before. */
export const listing = <T>(list: readonly T[], one: T, isListed: boolean): T[] => [
  ...list.filter((other) => other !== one),
  ...(isListed ? [one] : []),
]

/** What was asked for and is not answered yet. */
const wishesOf = new WeakMap<Bridge, Partial<DeviceSettings>>()

/**
 * Changes settings of this device on top of what was seen of them and of every change that is still on its way, so that
 * none undoes another that it does not know of yet. On its way when this returns; rejects as the call does.
 */
export async function changeDevice(
  bridge: Bridge,
  seen: DeviceSettings,
  changed: (device: DeviceSettings) => Partial<DeviceSettings>,
): Promise<void> {
  const wishes = wishesOf.get(bridge)
  const change = changed({ ...seen, ...wishes })
  wishesOf.set(bridge, { ...wishes, ...change })
  try {
    await bridge.call('set-device-setting', { settings: change })
  } finally {
    // What it is now was told before the answer. A later wish for the same stays until it is answered itself.
    const open = Object.entries(wishesOf.get(bridge) ?? {}).filter(
      ([name, value]) => change[name as keyof DeviceSettings] !== value,
    )
    wishesOf.set(bridge, Object.fromEntries(open))
  }
}
