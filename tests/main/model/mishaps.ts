import fc from 'fast-check'
import type { Fault } from './device.ts'
import { newestLevel, type World } from './world.ts'

/** What may happen to devices, their network and their disks in any history. Numbers wrap around what exists. */
export type Mishap =
  | { do: 'pass'; ms: number }
  | { do: 'disconnect'; on: number }
  | { do: 'reconnect'; on: number }
  | { do: 'fault'; on: number; fault: Fault; poll: boolean }
  | { do: 'slow'; on: number; up: number; down: number; events: number }
  | { do: 'lose-queue'; on: number }
  | { do: 'skew'; on: number; ms: number }
  | { do: 'fill-disk'; on: number; writes: number }
  | { do: 'kill'; on: number; after: number }
  | { do: 'restart'; on: number }

/** The kinds of steps, each with its frequency. */
export type StepKinds<Step extends { do: string }> = {
  readonly [Kind in Step['do']]: readonly [number, fc.Arbitrary<Step & { do: Kind }>]
}

/** A device. */
export const on = fc.nat(4)
const waits = [0, 200, 1_000, 2_600, 6_000, 12_000, 40_000]
const delays = [0, 0, 300, 3_000, 12_000]
const faults = [
  'lost-after',
  'lost-before',
  'lost-during',
  'failed-after',
  'truncated',
  'too-many',
  'failed',
  'page',
  'refused',
] as const

export const mishaps: StepKinds<Mishap> = {
  pass: [8, fc.record({ do: fc.constant('pass'), ms: fc.constantFrom(...waits) })],
  disconnect: [2, fc.record({ do: fc.constant('disconnect'), on })],
  reconnect: [3, fc.record({ do: fc.constant('reconnect'), on })],
  fault: [
    4,
    fc.record({ do: fc.constant('fault'), on, fault: fc.constantFrom<Fault>(...faults), poll: fc.boolean() }),
  ],
  slow: [
    2,
    fc.record({
      do: fc.constant('slow'),
      on,
      up: fc.constantFrom(...delays),
      down: fc.constantFrom(...delays),
      events: fc.constantFrom(...delays),
    }),
  ],
  'lose-queue': [1, fc.record({ do: fc.constant('lose-queue'), on })],
  skew: [
    1,
    fc.record({
      do: fc.constant('skew'),
      on,
      ms: fc.constantFrom(-86_400_000, -5_000, 0, 5_000, 86_400_000),
    }),
  ],
  'fill-disk': [1, fc.record({ do: fc.constant('fill-disk'), on, writes: fc.nat(3) })],
  kill: [2, fc.record({ do: fc.constant('kill'), on, after: fc.nat(6) })],
  restart: [1, fc.record({ do: fc.constant('restart'), on })],
}

/** A proxy repeats a request, or an answer. */
export type Repeat = { do: 'repeat'; on: number; poll: boolean }
export const repeats: StepKinds<Repeat> = {
  repeat: [2, fc.record({ do: fc.constant('repeat'), on, poll: fc.boolean() })],
}
export const isRepeat = (step: { do: string }): step is Repeat => step.do in repeats

/** Makes a request, or an answer of a poll, arrive twice. */
export function repeat({ devices }: World, { on, poll }: Repeat): void {
  const device = devices[on % devices.length]
  ;(poll ? device?.faults.polls : device?.faults.calls)?.push('twice')
}

/** A step of any kind except those in `without`; `often` multiplies the frequency of its kinds. */
export function stepOf<Step extends { do: string }>(
  kinds: StepKinds<Step>,
  without: readonly Step['do'][] = [],
  often: Partial<Record<Step['do'], number>> = {},
): fc.Arbitrary<Step> {
  // The entries of the table have its type.
  const entries = Object.entries(kinds) as [Step['do'], StepKinds<Step>[Step['do']]][]
  return fc.oneof(
    ...entries
      .filter(([kind]) => !without.includes(kind))
      .map(([kind, [weight, arbitrary]]) => ({ weight: weight * (often[kind] ?? 1), arbitrary })),
  )
}

/** How many devices a person has, by frequency: mostly few, because each costs time. */
export const someDevices = [1, 2, 2, 3, 2, 1, 2, 3, 2, 4, 5] as const

/** The server's feature level: mostly the newest, otherwise one of those after which something changed. */
const levels = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.constant(newestLevel) },
  { weight: 1, arbitrary: fc.constantFrom(390, 372, 334, 256, 218, 167, 120, 87, 77, 1) },
)

/** A number of devices, and steps. */
export interface History<Step> {
  readonly devices: number
  /** The server's feature level; the newest if not given. */
  readonly level?: number
  readonly steps: readonly Step[]
}

export const historyOf = <Step>(
  devices: readonly number[],
  step: fc.Arbitrary<Step>,
): fc.Arbitrary<History<Step>> =>
  fc.record({
    devices: fc.constantFrom(...devices),
    level: levels,
    steps: fc.array(step, { minLength: 1, maxLength: 22, size: 'max' }),
  })

/** Makes a mishap happen. */
export async function befall(world: World, step: Mishap): Promise<void> {
  if (step.do === 'pass') {
    await world.pass(step.ms)
    return
  }
  const device = world.devices[step.on % world.devices.length]
  switch (step.do) {
    case 'disconnect':
      device?.setConnected(false)
      break
    case 'reconnect':
      device?.setConnected(true)
      break
    case 'fault':
      ;(step.poll ? device?.faults.polls : device?.faults.calls)?.push(step.fault)
      break
    case 'slow':
      if (device !== undefined) device.latency = { up: step.up, down: step.down, events: step.events }
      break
    case 'lose-queue':
      device?.loseQueue()
      break
    case 'skew':
      if (device !== undefined) device.skewMs = step.ms
      break
    case 'fill-disk':
      if (device !== undefined) device.writesToRefuse = step.writes
      break
    case 'kill':
      device?.kill(step.after)
      break
    case 'restart':
      device?.restart()
      break
  }
}

export const isMishap = (step: { do: string }): step is Mishap => step.do in mishaps

/** Ends all pending mishaps. Clocks stay wrong. */
export function endMishaps(world: World): void {
  for (const device of world.devices) {
    device.spare()
    device.writesToRefuse = 0
    device.faults.calls.length = 0
    device.faults.polls.length = 0
    device.latency = { up: 0, down: 0, events: 0 }
    device.setConnected(true)
  }
}
