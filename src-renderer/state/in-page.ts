/** Whether this runs in a window; the first picture of one is drawn in the host, where there is no page. */
export const isInPage = typeof document !== 'undefined'

/** How high the view is, pixels; where it is not known, as high as most are. */
export const viewHeight = (): number => (isInPage ? innerHeight : 900)
