// A scale is a part of a picture's own size, in which each of its pixels is one pixel of the page.

const steps = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8]
const largest = 8
/** How far a wheel turns, in pixels, for a scale 2.7 times as large; and the most that counts at once. */
const [wheelTravel, mostAtOnce] = [300, 120]

interface Size {
  readonly width: number
  readonly height: number
}

/** The scale at which all of a picture is in view; small pictures keep their own size. */
export function fittingScale(own: Size, room: Size): number {
  if (own.width === 0 || own.height === 0) return 1
  return Math.min(1, room.width / own.width, room.height / own.height)
}

/** The next larger scale. */
export const enlarged = (scale: number): number => steps.find((step) => step > scale * 1.01) ?? largest

/** The next smaller scale; null if all of the picture fits at that scale. */
export function shrunk(scale: number, fitting: number): number | null {
  const step = steps.findLast((one) => one < scale * 0.99)
  return step === undefined || step <= fitting ? null : step
}

/** The scale after the wheel was turned, or two fingers were moved apart; null if all of the picture fits. */
export function turnedScale(scale: number, fitting: number, travel: number): number | null {
  const counted = Math.max(-mostAtOnce, Math.min(mostAtOnce, travel))
  const wanted = Math.min(largest, scale * Math.exp(-counted / wheelTravel))
  return wanted <= fitting ? null : wanted
}
