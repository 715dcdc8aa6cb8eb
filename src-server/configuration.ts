/** A mail that the service wants sent. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** What whoever runs the service decides. */
export interface Configuration {
  /** Folder of uploaded files; made when it is not there. */
  readonly filesDirectory: string
  /** The largest file that is taken. */
  readonly maxUploadMib: number
  /** What all files of the organization may take together; null for no limit. */
  readonly uploadQuotaMib: number | null
  /** Whether outgoing webhooks may go to addresses of this machine and of private networks. */
  readonly allowPrivateWebhooks: boolean
  /** Address of the service that passes notifications on to mobile devices; null: there is none. */
  readonly pushBouncerUrl: string | null
  /** Whether guests who may not know of everybody see the presence of only those they know. */
  readonly limitsPresence: boolean
  /** How long an invitation is good for that says nothing of it itself. */
  readonly invitationValidityMinutes: number
  /** Addresses of the administrators and bots that may make accounts for others, beside the owners. */
  readonly accountCreators: readonly string[]
  sendMail(mail: Mail): void
}
