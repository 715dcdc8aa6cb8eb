import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { messageId } from '../../../src-shared/ids.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { onClosing } from '../../port.ts'
import { route } from '../../state/navigation/route.svelte.ts'
import { keepPlace, type ScrollPlace } from '../../state/navigation/scroll-place.ts'

/** How long a feed must rest before its place is stored, milliseconds. */
const restMs = 150

/**
 * Stores the reader's place in a feed whenever the feed rests, and when it is left: in the window's history entry, for
 * back and forward, and on this device, for when the feed is opened again.
 */
export class PlaceKeeper {
  readonly #keep: (where: { readonly inEntry: boolean }) => Promise<void>
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: {
    readonly bridge: Bridge
    readonly accountId: string
    readonly narrow: Narrow
    /** The reader's place; null at the end, undefined while nothing is drawn. */
    place(): ScrollPlace | null | undefined
  }) {
    const { bridge, accountId, narrow } = parts
    this.#keep = async ({ inEntry }) => {
      clearTimeout(this.#timer)
      this.#timer = undefined
      const place = parts.place()
      if (place === undefined) return
      if (inEntry) keepPlace(place)
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
    this.#timer = setTimeout(() => void this.#keep({ inEntry: true }), restMs)
  }

  /** Also stores the place of whoever leaves before the feed rests, until the returned function is called. */
  start(): () => void {
    const leave = async (where: { readonly inEntry: boolean }) => {
      if (this.#timer !== undefined) await this.#keep(where)
    }
    const stops = [
      onClosing(() => leave({ inEntry: true })),
      route.beforeGoing(() => void leave({ inEntry: true })),
      // After a link or the back button, the window's entry is that of the next place already.
      route.beforeChange(() => void leave({ inEntry: false })),
    ]
    return () => {
      for (const stop of stops) stop()
      clearTimeout(this.#timer)
    }
  }
}
