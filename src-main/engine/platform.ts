import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Notice } from '../../src-shared/model/notice.ts'

/**
 * Everything that the engine needs from its host. Each host implements it, and tests have a fake.
 *
 * Nothing that a person typed depends on it: that is in SQLite before the platform is called.
 */
export interface Platform extends Clock {
  /** The directory of the accounts' files. It exists, and no other process uses it. */
  readonly dataDirectory: string
  log(line: string): void
  /**
   * Keys and passwords, protected by the system's keychain if there is one. All methods reject with a `FailureError` of
   * kind device; its code is no-keychain if a value was sealed by a keychain that is not available now.
   */
  readonly secrets: {
    get(key: string): Promise<string | null>
    set(key: string, value: string): Promise<void>
    delete(key: string): Promise<void>
  }
  notify(notice: Notice): void
  /** Removes notices that are still shown. */
  withdraw(ids: readonly string[]): void
  openExternal(url: string): void
  /** The proxy to use for an address; null for none. */
  findProxy(url: string): Promise<string | null>
  /** Whether the machine runs on battery; missing if the host cannot tell. */
  isOnBattery?(): boolean
  /**
   * Calls the listener when the machine wakes up, so that retries need not wait. Returns a function that removes it.
   */
  onWake(listener: () => void): () => void
  /**
   * Starts the embedded service with the demo workspace in its own process, unless it is running. Null if this host
   * cannot.
   */
  readonly startDemo: (() => Promise<DemoService>) | null
}

/** The address of the embedded service and the account to sign in with. */
export interface DemoService {
  readonly baseUrl: string
  readonly email: string
  readonly apiKey: string
}
