import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { WritingPlace } from '../../../src-shared/model/writing-place.ts'

/** Often enough to notice when typing ended; the engine notifies others as often as their server wants. */
const pulseMs = 1_000

/** Reports where the person is typing, for as long as they do. */
export class TypingPulse {
  readonly #bridge: Bridge
  readonly #accountId: string
  #place: WritingPlace | null = null
  #at = 0

  constructor(bridge: Bridge, accountId: string) {
    this.#bridge = bridge
    this.#accountId = accountId
  }

  /** The person typed there. */
  typed(place: WritingPlace): void {
    const now = Date.now()
    if (now - this.#at <= pulseMs) return
    this.#at = now
    this.#place = place
    this.#report(place, true)
  }

  /** The person sent the message, or turned away. */
  end(): void {
    if (this.#place !== null) this.#report(this.#place, false)
    this.#place = null
    this.#at = 0
  }

  #report(place: WritingPlace, on: boolean): void {
    void this.#bridge.call('report-typing', { accountId: this.#accountId, place, on }).catch(() => {})
  }
}
