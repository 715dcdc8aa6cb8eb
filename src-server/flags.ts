import { parseArgs } from 'node:util'
import type { Configuration } from './configuration.ts'

/** The newest feature level of this service. `--feature-level` selects an older one, for testing clients. */
const newestLevel = 420

/** Printed for `--help`, and after what is wrong with the flags. */
export const usage = `Usage: npm run server -- --port N --data-dir DIR [--demo | --demo=quiet]
  [--max-upload-mib N] [--upload-quota-mib N] [--visible-messages N] [--allow-private-webhooks]
  [--push-bouncer URL] [--limit-presence] [--invitation-validity-minutes N] [--feature-level N]
  [--may-create-users EMAIL]… [--allow-host NAME]… [--reactivate]
   or: npm run server -- --data-dir DIR --backup-to FOLDER`

/** The command-line flags of the service: what the operator decides, and how this process runs. */
export interface Flags extends Omit<Configuration, 'filesDirectory' | 'passwordCost' | 'sendMail'> {
  readonly port: number
  readonly dataDir: string
  /** Copy the data to this folder and exit; null: serve. */
  readonly backupTo: string | null
  readonly demo: 'no' | 'quiet' | 'lively'
  readonly featureLevel: number
  /** Whether to reopen a deactivated organization. */
  readonly reactivates: boolean
}

/** Parses the flags; null if help is wanted. Throws an error whose message says which flag is wrong. */
export function readFlags(given: readonly string[]): Flags | null {
  // parseArgs knows flags with a value and flags without one, but no flag that may be both.
  const args = given.map((arg) => (arg === '--demo' ? '--demo=lively' : arg))
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      'data-dir': { type: 'string' },
      'backup-to': { type: 'string' },
      demo: { type: 'string', default: 'no' },
      'max-upload-mib': { type: 'string', default: '25' },
      'upload-quota-mib': { type: 'string' },
      'visible-messages': { type: 'string' },
      'allow-private-webhooks': { type: 'boolean', default: false },
      'push-bouncer': { type: 'string' },
      'limit-presence': { type: 'boolean', default: false },
      // Ten days.
      'invitation-validity-minutes': { type: 'string', default: '14400' },
      'may-create-users': { type: 'string', multiple: true, default: [] },
      'allow-host': { type: 'string', multiple: true, default: [] },
      reactivate: { type: 'boolean', default: false },
      'feature-level': { type: 'string', default: String(newestLevel) },
    },
  })
  if (values.help) return null
  const { demo } = values
  const dataDir = values['data-dir']
  const port = Number(values.port)
  const featureLevel = Number(values['feature-level'])
  const maxUploadMib = Number(values['max-upload-mib'])
  const quota = values['upload-quota-mib']
  const uploadQuotaMib = quota === undefined ? null : Number(quota)
  const visible = values['visible-messages']
  const visibleMessages = visible === undefined ? null : Number(visible)
  const invitationValidityMinutes = Number(values['invitation-validity-minutes'])
  if (dataDir === undefined) throw new Error('--data-dir is missing.')
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port must be 0 to 65535.')
  if (demo !== 'no' && demo !== 'quiet' && demo !== 'lively')
    throw new Error('--demo takes no value, or quiet.')
  if (!Number.isInteger(featureLevel) || featureLevel < 1 || featureLevel > newestLevel)
    throw new Error(`--feature-level must be 1 to ${newestLevel}.`)
  if (!Number.isInteger(invitationValidityMinutes) || invitationValidityMinutes < 1)
    throw new Error('--invitation-validity-minutes must be a whole number of at least 1.')
  if (!(maxUploadMib > 0)) throw new Error('--max-upload-mib must be a number above 0.')
  if (uploadQuotaMib !== null && !(uploadQuotaMib >= 0))
    throw new Error('--upload-quota-mib must be a number of at least 0.')
  if (visibleMessages !== null && !(Number.isInteger(visibleMessages) && visibleMessages > 0))
    throw new Error('--visible-messages must be a whole number of at least 1.')
  return {
    port,
    dataDir,
    backupTo: values['backup-to'] ?? null,
    demo,
    maxUploadMib,
    uploadQuotaMib,
    visibleMessages,
    allowPrivateWebhooks: values['allow-private-webhooks'],
    pushBouncerUrl: values['push-bouncer'] ?? null,
    limitsPresence: values['limit-presence'],
    invitationValidityMinutes,
    featureLevel,
    accountCreators: values['may-create-users'],
    allowedHosts: values['allow-host'],
    reactivates: values.reactivate,
  }
}
