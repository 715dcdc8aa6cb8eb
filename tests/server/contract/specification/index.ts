import type { Section } from './catalogue.ts'
import { endpoints } from './endpoints.ts'
import { registering } from './registering.ts'
import { resources } from './resources.ts'
import { rules } from './rules.ts'
import { settings } from './settings.ts'
import { transitions } from './transitions.ts'

export { areas } from './areas.ts'

/** Every section of the specification, in its order. */
export const specification: readonly Section[] = [
  ...resources,
  ...transitions,
  ...settings,
  ...endpoints,
  ...registering,
  ...rules,
]
