import type { Bridge } from '../../src-shared/bridge/connect.ts'
import type { DeviceSettings } from '../../src-shared/bridge/settings.ts'

/** A list that contains, or does not contain, an item as wanted, whatever it contained before. */
export const listing = <T>(list: readonly T[], one: T, isListed: boolean): T[] => [
  ...list.filter((other) => other !== one),
  ...(isListed ? [one] : []),
]

/** Changes that were requested and not answered yet. */
const pendingOf = new WeakMap<Bridge, Partial<DeviceSettings>>()

/**
 * Changes settings of this device, based on their last known values and on every pending change, so that no change
 * undoes another. The request is sent when this returns; it rejects like the call.
 */
export async function changeDevice(
  bridge: Bridge,
  seen: DeviceSettings,
  changed: (device: DeviceSettings) => Partial<DeviceSettings>,
): Promise<void> {
  const pending = pendingOf.get(bridge)
  const change = changed({ ...seen, ...pending })
  pendingOf.set(bridge, { ...pending, ...change })
  try {
    await bridge.call('set-device-setting', { settings: change })
  } finally {
    // The new value arrived before the answer. A later request for the same value stays pending until it is answered
    // itself.
    const open = Object.entries(pendingOf.get(bridge) ?? {}).filter(
      ([name, value]) => change[name as keyof DeviceSettings] !== value,
    )
    pendingOf.set(bridge, Object.fromEntries(open))
  }
}
