import { plural } from './grammar.ts'

const nothingLost = 'Nothing was lost: what waits is sent when the way is clear.'
const asksPerhaps =
  'If this network asks you to sign in, do that in a browser: nothing was lost, and the rest goes on by itself. If it does not, check the address.'

/** What went wrong: what happened, what is safe, what to do. A `reason` is a whole sentence of its own. */
export const failures = {
  notSavedYet: 'Not saved on this device yet. The words stay while this window is open.',
  notQueued: (reason: string) => `Not queued, the text is still here. ${reason}`,
  ours: 'Something in Dunlin went wrong. It tries again.',
  startingAgain: 'The app is starting again.',
  noSuchAccount: 'There is no such account.',
  unsafeLink: 'Links of this kind are not opened from here.',
  noDemo: 'The demo workspace cannot be started here.',
  demoTooSlow: 'The demo workspace did not start in time.',
  demoEnded: (code: string) => `The demo workspace ended while starting (${code}).`,
  demoLost: 'The demo workspace did not say where it is.',
  draftGone: 'This draft is gone.',
  versionGone: 'This version is gone.',
  onItsWay: 'This message is on its way already.',
  sentAlready: 'This is not waiting any more: the server has it.',
  unreadableChange:
    'This version of Dunlin cannot read this change, so it is not sent. A newer version may be able to; otherwise discard it.',
  cannotTakeBack: 'This message cannot be taken back any more. It can be edited or deleted where it stands.',
  fileGone: 'A file of this message is not on this device any more. Take it out, or add it again.',
  fileTooLarge: (most: string) => `It is larger than this server takes: at most ${most}.`,
  fileGrew: 'The file became larger while it was copied. Add it again.',
  foreignPicture: 'This picture is not on the server, so it is not loaded.',
  join: {
    closed: (channel: string) => `Not joined. Only people whom somebody adds can join #${channel}.`,
    archived: (channel: string) => `Not joined. #${channel} is archived.`,
    gone: 'Not joined. The channel is gone, or not open to you any more.',
  },
  adding: {
    notYours: (channel: string) => `Not added. You cannot add people to #${channel} any more.`,
    archived: (channel: string) => `Not added. #${channel} is archived.`,
    gone: 'Not added. The channel is gone, or not open to you any more.',
  },
  organization: {
    changedMeanwhile:
      'Not changed. Somebody else changed this meanwhile. Look at how it is now, and change it again if you still want to.',
    takenBack: 'This is not there any more: making it was taken back.',
    channelTaken: (channel: string) => `Not created. There is a channel named #${channel} already.`,
    groupInUse:
      'Not deactivated. The group is part of another group, or something may be done by it. Take it out there first.',
  },
  wouldDiscard: (count: number) =>
    plural(count, {
      one: '# thing on this device is not on the server yet. Signing out would discard it.',
      other: '# things on this device are not on the server yet. Signing out would discard them.',
    }),

  /** The server answers, but not with what was requested. */
  server: {
    older: (what: string) => `This server is older. ${what}`.trim(),
    olderAndCannot:
      'This server is older and cannot do this. Everything else goes on; ask whoever runs it for an update.',
    slowDown: 'The server asks to slow down.',
    keyRefused: 'The key is not accepted.',
    failed: (status: number) => `The server failed (${status}).`,
    status: (status: number) => `The server answered with status ${status}.`,
    fileTooLarge: 'The file is larger than the server, or a proxy in front of it, accepts.',
    requestTooLarge: 'This is larger than the server, or a proxy in front of it, accepts.',
    tooMuch: 'The server sent far more than was asked for.',
    notUnderstood: (path: string, reason: string) =>
      `The server answered ${path} in a form that is not understood (${reason}).`,
    webPage: (reason: string) => `${reason} ${asksPerhaps}`,
    leadsTo: (host: string) => `This address leads to ${host} instead. ${asksPerhaps}`,
    leadsElsewhere: `This address leads somewhere else instead. ${asksPerhaps}`,
    noQueue: 'The server gave no event queue to this account.',
    noVersion:
      'This server does not say which version of the chat service it speaks. It is too old, or something else.',
  },

  /** No answer came. */
  network: {
    asksToSignIn:
      'This network asks you to sign in before it lets anything through. Open a web page in a browser and do that; nothing was lost, and the rest goes on by itself.',
    certificate: {
      expired:
        'The server could not prove who it is: its certificate has expired. Whoever runs it has to renew it. If the clock of this device is wrong, correct that. Nothing was sent to it.',
      notYetValid:
        'The server could not prove who it is: its certificate is valid from a later day only. Most often the clock of this device is wrong: correct that. Nothing was sent to it.',
      ofAnother:
        'The server could not prove who it is: its certificate is of another server. The address may be wrong, or the network leads elsewhere. Nothing was sent to it.',
      selfSigned:
        'The server could not prove who it is: it signed its certificate itself. If your organization does that, add its certificate in the network settings. Nothing was sent to it.',
      revoked:
        'The server could not prove who it is: its certificate was revoked. Ask whoever runs it. Nothing was sent to it.',
      unknownAuthority:
        'The server could not prove who it is: this device does not know who signed its certificate. If your organization has an authority of its own, add its certificate in the network settings. Nothing was sent to it.',
      notAccepted:
        'The server could not prove who it is: its certificate is not accepted. Nothing was sent to it.',
    },
    proxyRefuses: (proxy: string) =>
      `The proxy ${proxy} does not let this through. ${nothingLost} Check the proxy in the network settings.`,
    proxyRefusesWith: (proxy: string, status: string) =>
      `The proxy ${proxy} does not let this through (${status}). ${nothingLost} Check the proxy in the network settings.`,
    proxyAsksWho: (proxy: string) =>
      `The proxy ${proxy} does not let this through: it asks for a name and a password. ${nothingLost} Check the proxy in the network settings.`,
    proxySilent: (proxy: string) =>
      `Neither the proxy ${proxy} nor a server behind it answers. ${nothingLost}`,
    notFound: 'This address was not found. Either it is wrong or the network is not there.',
    refused: 'No server answers at this address.',
    notSecure:
      'The server at this address does not speak a secure connection. If that is meant to be, write http:// before the address.',
    noWay: 'There is no way to this address from here: the network is not there.',
    broke: 'The connection broke before the answer was there.',
    tooSlow: 'The server did not answer in time.',
    silent: 'The server did not answer.',
    privateKey:
      'This file holds a private key. It was not kept: choose the file that holds certificates only.',
    noCertificate:
      'There is no certificate in this file. It has to be text that begins with -----BEGIN CERTIFICATE-----. Nothing was changed.',
    badCertificate: (place: number) =>
      `Certificate ${place} of this file cannot be read. Nothing was changed.`,
    badProxy:
      'This is no address of a proxy. It looks like http://proxy.example.org:3128. Nothing was changed.',
  },

  signIn: {
    badAddress: 'This is not an address. It looks like chat.example.org.',
    serverTooOld: (level: number) =>
      `This server is older than Dunlin supports (it needs feature level ${level}). Ask whoever runs it for an update.`,
    appTooOld: 'This server no longer accepts this version of Dunlin. Update Dunlin and try again.',
    wrongPassword: 'This email and password do not fit together.',
    wrongKey: 'This email and key do not fit together.',
    keyOfAnother: (fullName: string) =>
      `This is the key of somebody else. This account belongs to ${fullName}.`,
    noSuchServer: (reason: string) =>
      `There is a server at this address, but it does not speak this chat service. ${reason}`,
  },

  /** This device: its disk, its files. */
  device: {
    diskFull:
      'The disk is full, so this could not be saved. Everything saved before is safe. Free some space and try again.',
    noRoomForAccount:
      'The disk is full, so this account cannot be opened. Everything in it is safe. Free some space: it opens by itself then.',
    noRoomToStart:
      'The disk is full, so Dunlin cannot start. Everything saved before is safe. Free some space and start it again.',
    cannotWrite: (path: string) =>
      `Dunlin can’t write to ${path}. What is there is safe. Allow writing to that folder, or choose another with --data-dir.`,
    inUse: (path: string) => `Another program is using ${path}. Nothing was changed. Close it and try again.`,
    /** A second start; process and address of the first where they are known. */
    alreadyRunning: (path: string, process: string | null, address: string | null) =>
      `Dunlin is already running with ${path}${process === null ? '' : ` (process ${process})`}.${address === null ? '' : ` Its window is at ${address}.`} Nothing was changed. Use the window that is open, or choose another folder with --data-dir.`,
    damaged: (path: string) =>
      `The file ${path} is damaged. Drafts and waiting messages are taken out of it before anything else is done.`,
    diskFails: (path: string) =>
      `The disk under ${path} does not answer properly. What was saved before is as safe as the disk is: make a copy of that folder, then check the disk.`,
    keyCannotBeOpened:
      'The key of this account cannot be opened: the system’s keychain that sealed it is not available. Everything on this device is safe. Sign in again to sync.',
    noKey: 'The key of this account is not on this device. Sign in again to sync.',
    newerFolder:
      'This folder was used by a newer version of Dunlin. Nothing in it was changed and everything is safe: open it with that version, or update this one.',
    newerFile:
      'This file was written by a newer version of Dunlin. It is untouched and everything in it is safe: open it with that version, or update this one.',
    /** What happened to an account's file, sentence by sentence. */
    file: {
      damaged: 'This account’s file on this device was damaged.',
      missing: 'This account’s file was gone from this device.',
      restored: 'The last words written here had not reached the disk when this device stopped.',
      nothingWaited: 'No drafts and no changes were waiting in it.',
      safe: (drafts: number, changes: number) =>
        `${plural(drafts, { one: '# draft', other: '# drafts' })} and ${plural(changes, { one: '# waiting change', other: '# waiting changes' })} are safe.`,
      undecided: (count: number) =>
        plural(count, {
          one: 'Whether # message was sent cannot be told: please look in the outbox.',
          other: 'Whether # messages were sent cannot be told: please look in the outbox.',
        }),
      fetchedAgain: 'Messages are fetched again from the server.',
      keptAs: (path: string) => `The damaged file is kept as ${path}.`,
    },
  },

  /** Filters of a search that have no meaning here. */
  search: {
    noChannel: (name: string) => `There is no channel named “${name}” here.`,
    nobody: (name: string) => `There is nobody named “${name}” here.`,
    unknown: (condition: string, known: readonly string[]) =>
      `“${condition}” is not known. There are ${known.join(', ')}.`,
    noMessageNumber: (text: string) => `“${text}” is no message number. Links to messages end with one.`,
    oneWith: 'A message is in one conversation: with: can be there once.',
    noDate: (text: string) => `“${text}” is no date. Write it as 2026-11-21.`,
  },
}
