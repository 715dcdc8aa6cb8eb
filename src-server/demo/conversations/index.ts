import { announcements } from './announcements.ts'
import { birdCounts } from './bird-counts.ts'
import { boatAndSafety } from './boat-and-safety.ts'
import { direct } from './direct.ts'
import { hutLife } from './hut-life.ts'
import { mapsAndSensors } from './maps-and-sensors.ts'
import { northFlats } from './north-flats.ts'
import { papers } from './papers.ts'
import { pipeline } from './pipeline.ts'
import { tideGauges } from './tide-gauges.ts'
import type { Thread } from './thread.ts'

export type { Thread } from './thread.ts'

/** Every hand-written conversation: the newest of each channel, and all direct ones. */
export const threads: readonly Thread[] = [
  ...tideGauges,
  ...northFlats,
  ...birdCounts,
  ...boatAndSafety,
  ...announcements,
  ...pipeline,
  ...mapsAndSensors,
  ...papers,
  ...hutLife,
  ...direct,
]
