import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { endOfPause, withoutPauses, withPause, type PauseLength } from '../../src-shared/model/quiet.ts'
import type { AccountId } from '../../src-shared/ids.ts'
import type { DeviceSettings } from '../../src-shared/bridge/settings.ts'
import { changeDevice } from './change-device.ts'
import { clockTime, futureTime, sameDay } from '../time.ts'
import { toasts } from './toast.svelte.ts'

/** When notifications resume, in words: a time today, or a day with a time. */
export const quietWords = (until: number, now: number, uses24HourClock: boolean): string =>
  sameDay(until, now) ? clockTime(until, uses24HourClock) : futureTime(until, now, uses24HourClock)

/** Pauses notifications of one account, or of all; a null length ends the pause. */
export async function pauseNotifications(
  bridge: Bridge,
  device: DeviceSettings,
  accountId: AccountId | null,
  length: PauseLength | null,
): Promise<void> {
  const now = Date.now()
  try {
    await changeDevice(bridge, device, ({ pauses, zone }) => ({
      pauses:
        length === null
          ? withoutPauses(pauses, accountId)
          : withPause(pauses, { accountId, until: endOfPause(length, now, zone) }, now),
    }))
  } catch (error) {
    toasts.failed(error)
  }
}

/**
 * Tells the main process the window's time zone when it changes; returns a function that stops it. Finding out the
 * time zone takes the platform longer than the first picture may, so it is done when the window is idle.
 */
export function reportZone(bridge: Bridge, device: DeviceSettings | undefined): () => void {
  const asked = requestIdleCallback(
    () => {
      const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
      if (device === undefined || device.zone === zone) return
      // If it is not stored now, it is sent again in a moment.
      bridge.call('set-device-setting', { settings: { zone } }).catch(() => {})
    },
    { timeout: 5_000 },
  )
  return () => cancelIdleCallback(asked)
}
