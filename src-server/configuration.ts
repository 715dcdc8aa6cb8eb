/** A mail that the service wants sent. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** How much work it is to hash a password with scrypt (block size 8): `2 ** log2N` KiB of memory, `passes` times. */
export interface PasswordCost {
  readonly log2N: number
  readonly passes: number
}

/** What the operator decides. */
export interface Configuration {
  /** The folder of uploaded files; it is created if it does not exist. */
  readonly filesDirectory: string
  /** The largest file that is accepted. */
  readonly maxUploadMib: number
  /** How much all files of the organization may take together; null for no limit. */
  readonly uploadQuotaMib: number | null
  /** How many of the organization's newest messages GET /messages returns, as a plan limits it; null for all. */
  readonly visibleMessages: number | null
  /** Whether outgoing webhooks may call addresses of this machine and of private networks. */
  readonly allowPrivateWebhooks: boolean
  /** The address of the bouncer that forwards notifications to mobile devices; null if there is none. */
  readonly pushBouncerUrl: string | null
  /** Whether guests who may not know of everybody see only the presence of people they know. */
  readonly limitsPresence: boolean
  /** How long an invitation is valid if it does not say so itself. */
  readonly invitationValidityMinutes: number
  /** Addresses of the administrators and bots that may create accounts for others, besides the owners. */
  readonly accountCreators: readonly string[]
  /** Names besides those of this machine under which the service answers, for example behind a proxy. */
  readonly allowedHosts: readonly string[]
  /** How much work it is to hash a password. */
  readonly passwordCost: PasswordCost
  sendMail(mail: Mail): void
}
