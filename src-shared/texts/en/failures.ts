/** What went wrong: what happened, what is safe, what to do. `reason` is a whole sentence of its own. */
export const failures = {
  notSavedYet: (reason: string) =>
    `Not saved on this device yet: the words are still here, and saving is tried again. ${reason}`,
  notQueued: (reason: string) => `Not queued, the text is still here. ${reason}`,
}
