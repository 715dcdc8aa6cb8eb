import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { messageId } from '../../../src-shared/ids.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { onClosing } from '../../port.ts'
import { keepPlace, type ScrollPlace } from '../../state/navigation/scroll-place.ts'

/** How long a feed must rest before its place is stored, milliseconds. */
const restMs = 150

/**
 * Stores the reader's place in a feed whenever the feed rests: in the window's history entry, for back and forward, and
 * on this device, for when the feed is opened again.
 */
export class PlaceKeeper {
  readonly #keep: () => Promise<void>
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: {
    readonly bridge: Bridge
    readonly accountId: string
    readonly narrow: Narrow
    /** The reader's place; null at the end, undefined while nothing is drawn. */
    place(): ScrollPlace | null | undefined
  }) {
    const { bridge, accountId, narrow } = parts
    this.#keep = async () => {
      this.#timer = undefined
      const place = parts.place()
      if (place === undefined) return
      keepPlace(place)
      const isAtMessage = place !== null && /^\d+$/.test(place.key)
      if (place !== null && !isAtMessage) return
      const left =
        place === null ? null : { messageId: messageId(Number(place.key)), top: Math.round(place.top) }
      // A reading place that cannot be stored is not worth an error message.
      await bridge.call('keep-place', { accountId, narrow, place: left }).catch(() => {})
    }
  }

  /** The feed was scrolled. */
  scrolled(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#keep(), restMs)
  }

  /** Also stores the place when the window closes, until the returned function is called. */
  start(): () => void {
    const stop = onClosing(async () => {
      if (this.#timer === undefined) return
      clearTimeout(this.#timer)
      await this.#keep()
    })
    return () => {
      stop()
      clearTimeout(this.#timer)
    }
  }
}
