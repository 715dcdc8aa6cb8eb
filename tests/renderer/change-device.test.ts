import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { changeDevice, listing } from '../../src-renderer/state/change-device.ts'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { deviceSettingsFrom, type DeviceSettings } from '../../src-shared/bridge/settings.ts'

/** An engine that takes a moment for everything and can refuse; `seen` is what the window was told last. */
function slowEngine() {
  const engine = { seen: deviceSettingsFrom({}), isFull: false }
  const bridge = {
    async call(_name: string, { settings }: { settings: Partial<DeviceSettings> }) {
      const { isFull } = engine
      await sleep(5)
      if (isFull) throw new Error('disk is full')
      engine.seen = { ...engine.seen, ...settings }
    },
  } as unknown as Bridge
  const hours = (part: (now: DeviceSettings['quietHours']) => Partial<DeviceSettings['quietHours']>) =>
    changeDevice(bridge, engine.seen, ({ quietHours }) => ({
      quietHours: { ...quietHours, ...part(quietHours) },
    }))
  return {
    engine,
    hours,
    turn: (day: number, isOn: boolean) => hours(({ days }) => ({ days: listing(days, day, isOn) })),
  }
}

test('changes that follow each other faster than they are kept are all kept', async () => {
  const { engine, hours, turn } = slowEngine()
  const first = hours(() => ({ from: 0 }))
  await sleep(1)
  const rest = [hours(() => ({ to: 0 })), turn(1, false), turn(1, false)]
  await first
  // The first is told by now, the others are not.
  rest.push(turn(7, false))
  await Promise.all(rest)
  expect(engine.seen.quietHours).toMatchObject({ from: 0, to: 0, days: [2, 3, 4, 5, 6] })
})

test('what is answered counts no longer, so that a change from elsewhere holds', async () => {
  const { engine, hours, turn } = slowEngine()
  await hours(() => ({ from: 0 }))
  engine.seen = { ...engine.seen, quietHours: { ...engine.seen.quietHours, from: 60 } }
  await turn(1, false)
  expect(engine.seen.quietHours).toMatchObject({ from: 60, days: [2, 3, 4, 5, 6, 7] })
})

test('a change that is refused says so, and is not made with the next', async () => {
  const { engine, turn } = slowEngine()
  engine.isFull = true
  await expect(turn(1, false)).rejects.toThrow('disk is full')
  engine.isFull = false
  await turn(2, false)
  expect(engine.seen.quietHours.days).toEqual([1, 3, 4, 5, 6, 7])
})
