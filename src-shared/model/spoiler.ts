/** The placeholder for hidden text, where only plain text can be shown. */
export const closedSpoiler = '(…)'
