import type { Notice } from '../../src-shared/model/notice.ts'

/**
 * The engine's only door outwards: one interface, one implementation per host, one fake in tests.
 *
 * Nothing here is trusted with what a person typed: that is in SQLite before the platform is asked for anything.
 */
export interface Platform {
  /** Where accounts' files lie; exists and is this process's alone. */
  readonly dataDirectory: string
  /** Epoch milliseconds. */
  now(): number
  /** Resolves after `ms`, or at once when `signal` aborts. All waiting goes through here, so tests own the clock. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** A number from 0 (included) to 1 (excluded); for jitter and ids. */
  random(): number
  log(line: string): void
  /**
   * Keys and passwords, in the system's keychain where there is one. All reject with a `FailureError` of kind device;
   * its code is no-keychain when a value is there but the keychain that sealed it is not.
   */
  readonly secrets: {
    get(key: string): Promise<string | null>
    set(key: string, value: string): Promise<void>
    delete(key: string): Promise<void>
  }
  notify(notice: Notice): void
  openExternal(url: string): void
  /** Address of the proxy through which this machine reaches an address, or null for none. */
  findProxy(url: string): Promise<string | null>
  /** Whether the machine runs on its battery; left out: nobody can say. */
  isOnBattery?(): boolean
  /** The machine woke up or the network came back: stop waiting, try now. Returns how to stop listening. */
  onWake(listener: () => void): () => void
  /**
   * Starts the embedded service with the demo workspace in a process of its own, or finds it running. Null when
   * this host cannot.
   */
  readonly startDemo: (() => Promise<DemoService>) | null
}

/** Where the embedded demo workspace listens and who is signed in to it. */
export interface DemoService {
  readonly baseUrl: string
  readonly email: string
  readonly apiKey: string
}
