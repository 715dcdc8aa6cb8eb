import type { Platform } from '../../src-main/engine/platform.ts'
import { systemClock } from '../../src-shared/clock/clock.ts'

/** A host of the engine in which nothing is shown and nothing opens; `own` replaces parts of it. */
export const testPlatform = (dataDirectory: string, own: Partial<Platform> = {}): Platform => ({
  dataDirectory,
  ...systemClock,
  log: printIfAsked,
  secrets: secretsInMemory(),
  notify: () => {},
  withdraw: () => {},
  openExternal: () => {},
  findProxy: () => Promise.resolve(null),
  onWake: () => () => {},
  startDemo: null,
  ...own,
})

/** A keychain that is empty at first. */
export function secretsInMemory(): Platform['secrets'] {
  const secrets = new Map<string, string>()
  return {
    get: (key) => Promise.resolve(secrets.get(key) ?? null),
    set: async (key, value) => void secrets.set(key, value),
    delete: async (key) => void secrets.delete(key),
  }
}

/** Prints a line of the engine's log if the environment asks for it. */
export function printIfAsked(line: string): void {
  if (process.env['DUNLIN_TEST_LOG'] !== undefined) console.error(line)
}
