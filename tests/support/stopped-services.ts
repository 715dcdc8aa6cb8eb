/** What starts the services again that have been stopped since it was last cleared. */
export const stoppedServices = new Set<() => Promise<unknown>>()
