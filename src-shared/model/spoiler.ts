/** What stands for all that a spoiler hides, where only words fit. */
export const closedSpoiler = '(…)'
