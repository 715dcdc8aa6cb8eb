import { createSubscriber } from 'svelte/reactivity'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { endOfPause, withoutPauses, withPause, type PauseLength } from '../../src-shared/model/quiet.ts'
import type { AccountId } from '../../src-shared/ids.ts'
import type { DeviceSettings } from '../../src-shared/bridge/settings.ts'
import { changeDevice } from './change-device.ts'
import { clockTime, futureTime, sameDay } from '../time.ts'
import { toasts } from './toast.svelte.ts'

const stepMs = 5_000
const step = createSubscriber((update) => {
  const timer = setInterval(update, stepMs)
  return () => clearInterval(timer)
})

/** Epoch milliseconds; what is derived from it is looked at again every few seconds. */
export function presentTime(): number {
  step()
  return Date.now()
}

/** When notifications come again, in words: today's time, or the day with it. */
export const quietWords = (until: number, now: number, twentyFourHour: boolean): string =>
  sameDay(until, now) ? clockTime(until, twentyFourHour) : futureTime(until, now, twentyFourHour)

/** Holds notifications of an account back, or of all; a null length: no longer. */
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
 * Tells the main process where the window is, once that is another place; returns how to stop. The platform takes longer
 * to find that out than a first picture may, so it is asked when there is nothing else to do.
 */
export function reportZone(bridge: Bridge, device: DeviceSettings | undefined): () => void {
  const asked = requestIdleCallback(
    () => {
      const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
      if (device === undefined || device.zone === zone) return
      // What is not kept now is said again in a moment.
      bridge.call('set-device-setting', { settings: { zone } }).catch(() => {})
    },
    { timeout: 5_000 },
  )
  return () => cancelIdleCallback(asked)
}
