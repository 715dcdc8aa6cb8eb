/** Whether this code runs in a window. The host renders the first picture, without a page. */
export const isInPage = typeof document !== 'undefined'

/** The height of the viewport in pixels; where it is unknown, a usual height. */
export const viewHeight = (): number => (isInPage ? innerHeight : 900)
