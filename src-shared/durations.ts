// Lengths of time. A day has 24 hours here; days of the calendar, which may have 23 or 25, need dates.

/** A minute, in milliseconds. */
export const minuteMs = 60_000
/** An hour, in milliseconds. */
export const hourMs = 60 * minuteMs
/** 24 hours, in milliseconds. */
export const dayMs = 24 * hourMs

/** A minute, in seconds, which the API and the service's file count in. */
export const minuteSeconds = 60
/** An hour, in seconds. */
export const hourSeconds = 60 * minuteSeconds
/** 24 hours, in seconds. */
export const daySeconds = 24 * hourSeconds
