import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { messageId } from '../../../src-shared/ids.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { onClosing } from '../../port.ts'
import { keepPlace, type ScrollPlace } from '../../state/scroll-place.ts'

/** For how long a feed rests before its place is kept, milliseconds. */
const restMs = 150

/**
 * Keeps where the reader of a feed is whenever it rests: with the entry of the window's history, for back and forward,
 * and on this device, for when the feed is opened anew.
 */
export class PlaceKeeper {
  readonly #keep: () => Promise<void>
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: {
    readonly bridge: Bridge
    readonly accountId: string
    readonly narrow: Narrow
    /** Where the reader is; null at the end, undefined while nothing is drawn. */
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
      // Where somebody was is not worth a word when it cannot be written.
      await bridge.call('keep-place', { accountId, narrow, place: left }).catch(() => {})
    }
  }

  /** The feed was scrolled. */
  scrolled(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#keep(), restMs)
  }

  /** Keeps the place also when the window goes, until the returned function is called. */
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
