import { number, plural } from './grammar.ts'

/** Drafts, what waits to be sent, and two versions of one draft. */
export const drafts = {
  name: 'Drafts and outbox',
  tabs: { all: 'All', outbox: 'Outbox', drafts: 'Drafts' },
  none: 'No drafts. What you start writing is kept here, on all your devices.',
  needsYou: 'Needs you',
  outboxOrder: 'Sends by itself, oldest first',
  outboxOrderOffline: (back: string) => `Sends by itself, oldest first, ${back}`,
  scheduledThere: (count: number) =>
    plural(count, {
      one: '# scheduled message is on the server and goes out even if this device stays offline.',
      other: '# scheduled messages are on the server and go out even if this device stays offline.',
    }),
  viewScheduled: 'View scheduled',
  editAsDraft: 'Edit as a draft',
  send: 'Send',
  queue: 'Queue',
  retry: 'Retry',
  /** Moves those of a topic's messages that are not too old. */
  moveSome: (count: number) => plural(count, { one: 'Move # message', other: 'Move # messages' }),
  discard: 'Discard',
  deleteDraft: 'Delete draft',
  deleted: 'Draft deleted.',
  noRecipient: 'No recipient yet',
  ended: {
    title: 'Recently deleted',
    explanation: 'Deleted drafts and discarded messages, also from other devices. Each is kept for 30 days.',
    deleted: 'Deleted',
  },
  cameFrom: (topic: string) => `moved along from “${topic}”`,
  /** `reason` is the server's own words. */
  refused: (reason: string) =>
    `The server refused this draft: “${reason}”. It’s safe on this device. Change its text or recipient, and it syncs again.`,
  compare: 'Compare',
  review: 'Review',
  /** A message that the server refused. */
  refusal: {
    title: 'Your message wasn’t sent',
    why: {
      archived: (channel: string) => `#${channel} was archived.`,
      notAllowed: (channel: string) => `You can’t post in #${channel} any more.`,
    },
    safe: 'The message is safe in your outbox.',
    written: (time: string) => `written ${time}`,
    elsewhere: 'Send it somewhere else',
    elsewhereHelp: 'To another topic, channel or person',
    choose: 'Choose…',
    ask: 'Ask someone to post it',
    askHelp: 'Opens a direct message with the text',
    askNow: 'Ask…',
    askWords: (place: string) => `Could you post this in ${place}?`,
    toDrafts: 'Move back to drafts',
    toDraftsHelp: 'Stays on all your devices',
    move: 'Move',
    serverSaid: 'What the server said',
    delete: 'Delete message',
    deleted: 'Message deleted.',
    later: 'Decide later',
  },
  states: {
    synced: 'Synced',
    conflict: 'Edited on two devices',
    only: 'On this device only',
    waiting: 'Waiting to sync',
    refused: 'Refused by the server',
    /** A change that the server refused, or that this device cannot send. */
    notSent: 'Not sent',
    undecided: 'May have been sent',
    undecidedOf: {
      scheduled: 'May already be scheduled',
      reminder: 'May already be set',
      snippet: 'May already be saved',
    },
  },
  conflict: {
    title: 'This draft was edited on two devices',
    /** Said once when it happens. */
    begins: (place: string | null) =>
      place === null
        ? 'A draft was edited on two devices. Both versions are safe.'
        : `Your draft for ${place} was edited on two devices. Both versions are safe.`,
    several: (count: number) => `${number(count)} drafts were edited on two devices. All versions are safe.`,
    explanation: (joined: number, overlaps: number) => {
      const left = overlaps === 1 ? 'one' : number(overlaps)
      if (overlaps === 0) return 'Both versions are safe.'
      if (joined > 0)
        return `Both versions are safe. Dunlin merged the changes that don’t overlap and left ${left} for you to check.`
      return plural(overlaps, {
        one: 'Both versions are safe. Both devices changed the same part.',
        other: 'Both versions are safe. Both devices changed the same # parts.',
      })
    },
    lastShared: 'Last shared version',
    editedAt: (time: string) => `Edited ${time}`,
    editable: (joined: number) =>
      joined === 0
        ? 'Editable'
        : plural(joined, { one: 'Editable. # change merged', other: 'Editable. # changes merged' }),
    edit: 'Edit text',
    dropEdits: 'Undo edits',
    changes: (count: number) => plural(count, { one: '# change', other: '# changes' }),
    newer: (whose: string) => `${whose}, the newer edit`,
    recipientsDiffer: 'The recipients differ too. Yours are kept unless you use the other version.',
    local: 'Yours, on this device',
    remote: 'Other device',
    merged: 'Merged',
    toCheck: (count: number) => `${number(count)} to check`,
    /** Said after the person chose, if there is still something to choose. */
    again: 'The other device changed the same words again. Compare once more.',
    nextDifference: 'Next difference',
    previousDifference: 'Previous difference',
    /** Beside the two keys that go to the next difference and to the previous one. */
    difference: (at: number, count: number) => `Difference ${number(at)} of ${number(count)}`,
    bothChanged: 'Both devices changed this part',
    yours: 'Yours',
    nothing: '(removed)',
    added: { local: 'added by you: ', remote: 'added on the other device: ', both: 'added on both: ' },
    removed: {
      local: 'removed by you: ',
      remote: 'removed on the other device: ',
      both: 'removed on both: ',
    },
    keepBoth: 'Keep both',
    mergedText: 'Merged text',
    useThis: 'Use this version',
    keepSeparate: 'Keep both as separate drafts',
    inHistory: 'The other versions stay in draft history for 30 days.',
    later: 'Decide later',
    useMerged: 'Use merged',
  },
}
