import { list, number, plural } from './grammar.ts'

/** What went wrong: what happened, what is safe, what to do. A `reason` is a whole sentence of its own. */
export const failures = {
  notSavedYet: 'Not saved on this device yet. The words stay while this window is open.',
  notQueued: (reason: string) => `Not queued, the text is still here. ${reason}`,
  ours: 'Something went wrong in Dunlin. It’s trying again.',
  startingAgain: 'The app is restarting.',
  noSuchAccount: 'This account doesn’t exist.',
  unsafeLink: 'Dunlin doesn’t open links of this kind.',
  noDemo: 'The demo workspace can’t be started here.',
  demoTooSlow: 'The demo workspace didn’t start in time.',
  demoEnded: (code: string) => `The demo workspace stopped while starting (${code}).`,
  demoLost: 'The demo workspace didn’t report its address.',
  draftGone: 'This draft is gone.',
  versionGone: 'This version is gone.',
  onItsWay: 'This message is already being sent.',
  mayHaveArrived: 'The server may already have this. Try again once that is clear.',
  sentAlready: 'This is no longer waiting: the server has it.',
  /** Under an option of a poll or a task of a list. */
  notAdded: 'Not added. There are too many already.',
  goneMeanwhile: 'This no longer exists: it was deleted or sent in the meantime.',
  cannotTakeBack: 'This message can no longer be undone. You can edit or delete it in its conversation.',
  sentMeanwhile: 'Not cancelled. The message has already been sent. You can delete it in its conversation.',
  mayNotTakeBack: 'The server has this message, and you aren’t allowed to delete it.',
  fileGone: 'A file in this message is no longer on this device. Remove it, or attach it again.',
  fileTooLarge: (most: string) => `It’s larger than this server accepts. The limit is ${most}.`,
  fileInterrupted: 'Copying the file was interrupted. Remove it, and attach it again.',
  fileWithoutAddress: 'The server took the file, but didn’t report its address.',
  fileGrew: 'The file grew while it was being copied. Attach it again.',
  unreadableChange:
    'This version of Dunlin can’t read this change, so it isn’t sent. A newer version may be able to; otherwise, discard it.',
  foreignPicture: 'This picture isn’t on the server, so it isn’t loaded.',
  join: {
    closed: (channel: string) => `Not joined. Someone in #${channel} has to add you.`,
    archived: (channel: string) => `Not joined. #${channel} is archived.`,
    gone: 'Not joined. The channel is gone, or you no longer have access to it.',
  },
  adding: {
    notYours: (channel: string) => `Not added. You can no longer add people to #${channel}.`,
    archived: (channel: string) => `Not added. #${channel} is archived.`,
    gone: 'Not added. The channel is gone, or you no longer have access to it.',
  },
  edit: {
    changedMeanwhile:
      'Not changed. This message was changed in the meantime. Look at how it is now, then edit it again if you still want to.',
    gone: 'Not changed. This message was deleted, or you no longer have access to it.',
  },
  tooOldToMove: (count: number, total: number) =>
    `Not moved. Only ${number(count)} of the ${number(total)} messages in this topic can still be moved; the others are too old.`,
  movedMeanwhile:
    'Not moved. These messages were moved in the meantime. Look at where they are now, then move them again if you still want to.',
  organization: {
    changedMeanwhile:
      'Not changed. Someone else changed this in the meantime. Check how it is now, then change it again if you still want to.',
    takenBack: 'This no longer exists: its creation was cancelled.',
    channelTaken: (channel: string) => `Not created. A channel named #${channel} already exists.`,
    groupInUse:
      'Not deactivated. The group is part of another group or has permissions. Remove it there first.',
  },
  wouldDiscard: (count: number) =>
    plural(count, {
      one: '# item on this device isn’t on the server yet. Signing out would discard it.',
      other: '# items on this device aren’t on the server yet. Signing out would discard them.',
    }),
  mightDiscard:
    'This account’s file can’t be opened, so Dunlin can’t tell what in it isn’t on the server yet. Signing out would discard it.',

  /** The server answers, but not with what was requested. */
  server: {
    older: (what: string) => `This server is older. ${what}`.trim(),
    olderAndCannot:
      'This server is too old for this. Everything else works. Ask its administrator to update it.',
    slowDown: 'The server is limiting requests: there were too many in a short time.',
    keyRefused: 'The key wasn’t accepted.',
    failed: (status: number) => `The server had an error (${status}).`,
    status: (status: number) => `The server answered with status ${status}.`,
    tooMuch: 'The server’s response was far too long.',
    fileTooLarge: 'The file is larger than the server, or a proxy in front of it, accepts.',
    requestTooLarge: 'This is larger than the server, or a proxy in front of it, accepts.',
    notUnderstood: (path: string, reason: string) =>
      `The server’s response to ${path} couldn’t be understood (${reason}).`,
    /** An answer that is not of the service. */
    unreadable: {
      page: 'The server answered with a web page where data should be.',
      incomplete: 'The server’s response is incomplete or not valid data.',
      unknown: 'The server’s response has an unknown format.',
    },
    leadsTo: (host: string) => `This address leads to ${host} instead.`,
    leadsElsewhere: 'This address leads somewhere else instead.',
    repeatedAnswer:
      'An outdated response was received. A proxy in front of the server may be repeating responses.',
    noQueue: 'The server gave this account no event queue.',
    noVersion:
      'This server doesn’t say which version of the chat service it runs. It may be too old, or something else.',
  },

  /** No answer came. */
  network: {
    asksToSignIn: {
      syncing:
        'This network asks you to sign in first. Open a web page in a browser to do that. Nothing was lost, and syncing continues afterwards.',
      signingIn:
        'This network asks you to sign in first. Open a web page in a browser to do that, then try again here.',
    },
    perhapsAsksToSignIn: {
      syncing:
        'If this network asks you to sign in, do that in a browser. Nothing was lost, and syncing continues afterwards. If it doesn’t, check the address.',
      signingIn:
        'If this network asks you to sign in, do that in a browser, then try again here. If it doesn’t, check the address.',
    },
    certificate: {
      expired:
        'The server couldn’t prove its identity: its certificate has expired. Its administrator has to renew it. If this device’s clock is wrong, correct it. Nothing was sent to it.',
      notYetValid:
        'The server couldn’t prove its identity: its certificate isn’t valid yet. This device’s clock is probably wrong: correct it. Nothing was sent to it.',
      ofAnother:
        'The server couldn’t prove its identity: its certificate belongs to another server. If this network asks you to sign in, do that in a browser. If it doesn’t, check the address. Nothing was sent to it.',
      selfSigned:
        'The server couldn’t prove its identity: its certificate is self-signed. If this network asks you to sign in, do that in a browser. If your organization signs its own certificates, add its certificate in the network settings. Nothing was sent to it.',
      revoked:
        'The server couldn’t prove its identity: its certificate was revoked. Ask its administrator. Nothing was sent to it.',
      unknownAuthority:
        'The server couldn’t prove its identity: this device doesn’t know who signed its certificate. If this network asks you to sign in, do that in a browser. If your organization has its own certificate authority, add its certificate in the network settings. Nothing was sent to it.',
      notAccepted:
        'The server couldn’t prove its identity: its certificate isn’t accepted. Nothing was sent to it.',
    },
    proxyRefuses: (proxy: string) =>
      `The proxy ${proxy} doesn’t let this through. Check the proxy in the network settings.`,
    proxyRefusesWith: (proxy: string, status: string) =>
      `The proxy ${proxy} doesn’t let this through (${status}). Check the proxy in the network settings.`,
    proxyAsksWho: (proxy: string) =>
      `The proxy ${proxy} doesn’t let this through: it asks for a name and password. Check the proxy in the network settings.`,
    proxySilent: (proxy: string) => `Neither the proxy ${proxy} nor a server behind it answers.`,
    notFound: 'This address wasn’t found. Check it, and check your network.',
    refused: 'No server answers at this address.',
    notSecure: {
      syncing:
        'The server no longer offers a secure connection, so nothing was sent to it. If this network asks you to sign in, do that in a browser.',
      signingIn:
        'The server at this address doesn’t offer a secure connection. If that is intended, put http:// in front of it.',
    },
    noWay: 'This address can’t be reached from here: there is no network.',
    broke: 'The connection broke before the response arrived.',
    tooSlow: 'The server didn’t answer in time.',
    silent: 'The server didn’t answer.',
    privateKey:
      'This file contains a private key, so it wasn’t saved. Choose the file that has only certificates.',
    noCertificate:
      'There is no certificate in this file. It must be text that starts with -----BEGIN CERTIFICATE-----. Nothing was changed.',
    badCertificate: (place: number) =>
      `Certificate ${place} in this file can’t be read. Nothing was changed.`,
    badProxy: 'Not a proxy address. Example: http://proxy.example.org:3128',
  },

  signIn: {
    badAddress: 'Not an address. Example: chat.example.org',
    serverTooOld: (level: number) =>
      `This server is older than Dunlin supports (needs feature level ${level}). Ask its administrator to update it.`,
    appTooOld: 'This server no longer accepts this version of Dunlin. Update Dunlin and try again.',
    wrongPassword: 'Wrong email or password.',
    wrongKey: 'Wrong email or API key.',
    slowDown: (seconds: number) =>
      seconds < 90
        ? `There were too many attempts in a short time. Try again in ${plural(seconds, { one: '# second', other: '# seconds' })}.`
        : `There were too many attempts in a short time. Try again in ${plural(Math.ceil(seconds / 60), { one: '# minute', other: '# minutes' })}.`,
    keyOfAnother: (fullName: string) =>
      `This key belongs to someone else. This account belongs to ${fullName}.`,
    noSuchServer: (reason: string) => `This address isn’t a compatible chat server. ${reason}`,
  },

  /** This device: its disk, its files. */
  device: {
    diskFull:
      'The disk is full, so this couldn’t be saved. Everything saved before is safe. Free some space and try again.',
    noRoomForAccount:
      'The disk is full, so this account can’t be opened. Everything in it is safe. Free some space, and it will open.',
    noRoomToStart:
      'The disk is full, so Dunlin can’t start. Everything saved before is safe. Free some space and start it again.',
    cannotWrite: (path: string) =>
      `Dunlin can’t write to ${path}. What is there is safe. Allow writing there, or choose another folder with --data-dir.`,
    inUse: (path: string) => `Another program is using ${path}. Nothing was changed. Close it and try again.`,
    /** A second start; process and address of the first where they are known. */
    alreadyRunning: (path: string, process: string | null, address: string | null) =>
      `Dunlin is already running with ${path}${process === null ? '' : ` (process ${process})`}.${address === null ? '' : ` Its window is at ${address}.`} Nothing was changed. Use the window that is open, or choose another folder with --data-dir.`,
    damaged: (path: string) =>
      `The file ${path} is damaged. Drafts and queued messages are recovered from it before anything else is done.`,
    diskFails: (path: string) =>
      `The disk with ${path} is failing. What was saved is only as safe as the disk: copy that folder, then check the disk.`,
    keyCannotBeOpened:
      'The key of this account can’t be opened: the system keychain that protects it isn’t available. Everything on this device is safe. Sign in again to sync.',
    noKey: 'The key of this account isn’t on this device. Sign in again to sync.',
    newerFolder:
      'This folder was used by a newer version of Dunlin. Nothing in it was changed and everything is safe. Open it with that version, or update this one.',
    newerFile:
      'This file was written by a newer version of Dunlin. It’s untouched and everything in it is safe. Open it with that version, or update this one.',
    /** What happened to an account's file, sentence by sentence. */
    file: {
      damaged: 'This account’s file on this device was damaged.',
      missing: 'This account’s file was missing from this device.',
      restored: 'The last words written here hadn’t reached the disk when this device stopped.',
      nothingWaited: 'No drafts, edits or changes were waiting in it.',
      /** There is at least one thing. */
      safe: (drafts: number, edits: number, changes: number) => {
        const things = [
          ...(drafts === 0 ? [] : [plural(drafts, { one: '# draft', other: '# drafts' })]),
          ...(edits === 0 ? [] : [plural(edits, { one: '# unsaved edit', other: '# unsaved edits' })]),
          ...(changes === 0
            ? []
            : [plural(changes, { one: '# waiting change', other: '# waiting changes' })]),
        ]
        return `${list(things)} ${drafts + edits + changes === 1 ? 'is' : 'are'} safe.`
      },
      unreadable: (count: number) =>
        plural(count, {
          one: '# entry couldn’t be read.',
          other: '# entries couldn’t be read.',
        }),
      undecided: (count: number) =>
        plural(count, {
          one: '# of them may have been sent already: check it in the outbox.',
          other: '# of them may have been sent already: check them in the outbox.',
        }),
      fetchedAgain: 'Messages are fetched again from the server.',
      keptAs: (path: string) => `The damaged file is kept as ${path}.`,
    },
  },

  /** Filters of a search that have no meaning here. */
  search: {
    noChannel: (name: string) => `No channel matches “${name}”.`,
    nobody: (name: string) => `No match for “${name}”.`,
    unknown: (condition: string, known: readonly string[]) =>
      `“${condition}” isn’t a condition. Try ${known.join(', ')}.`,
    noMessageNumber: (text: string) => `“${text}” isn’t a message number. Links to messages end with one.`,
    oneWith: 'A message is in one conversation, so with: can be used only once.',
    noDate: (text: string) => `“${text}” isn’t a date. Example: 2026-11-21`,
  },
}
