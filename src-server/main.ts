import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { BackupError, backUp } from './backup.ts'
import { buildServer } from './build-server.ts'
import { systemClock } from './clock.ts'
import { openDatabase } from './database.ts'
import { reactivateOrganization } from './organization/deactivation.ts'
import { demoAccounts, seedDemo, startTeammates } from './demo/index.ts'
import { foundOrganization } from './organization/found-organization.ts'
import { keepQueues, restoreQueues } from './events/kept-queues.ts'
import { runSchedule } from './messages/schedule.ts'
import { runWebhooks } from './webhooks/deliver.ts'
import { usualPasswordCost } from './people/passwords.ts'
import { createWorkspace } from './create-workspace.ts'

/** The newest feature level of this service. `--feature-level` selects an older one, for testing clients. */
const newestLevel = 420

const usage = `Usage: npm run server -- --port N --data-dir DIR [--demo | --demo=quiet]
  [--max-upload-mib N] [--upload-quota-mib N] [--allow-private-webhooks] [--push-bouncer URL]
  [--limit-presence] [--invitation-validity-minutes N] [--feature-level N]
  [--may-create-users EMAIL]… [--allow-host NAME]… [--reactivate]
   or: npm run server -- --data-dir DIR --backup-to FOLDER`

const log = (line: string) => process.stderr.write(`${line}\n`)

interface Flags {
  readonly port: number
  readonly dataDir: string
  /** Copy the data to this folder and exit; null: serve. */
  readonly backupTo: string | null
  readonly demo: 'no' | 'quiet' | 'lively'
  readonly maxUploadMib: number
  readonly uploadQuotaMib: number | null
  readonly allowPrivateWebhooks: boolean
  readonly pushBouncerUrl: string | null
  readonly limitsPresence: boolean
  readonly invitationValidityMinutes: number
  readonly featureLevel: number
  readonly accountCreators: readonly string[]
  readonly allowedHosts: readonly string[]
  /** Whether to reopen a deactivated organization. */
  readonly reactivates: boolean
}

function readFlags(): Flags {
  // parseArgs knows flags with a value and flags without one, but no flag that may be both.
  const args = process.argv.slice(2).map((arg) => (arg === '--demo' ? '--demo=lively' : arg))
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: 'string', default: '0' },
        'data-dir': { type: 'string' },
        'backup-to': { type: 'string' },
        demo: { type: 'string', default: 'no' },
        'max-upload-mib': { type: 'string', default: '25' },
        'upload-quota-mib': { type: 'string' },
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
    const port = Number(values.port)
    const { demo } = values
    const dataDir = values['data-dir']
    if (!Number.isInteger(port) || port < 0 || port > 65_535 || dataDir === undefined)
      throw new Error('bad flags')
    if (demo !== 'no' && demo !== 'quiet' && demo !== 'lively') throw new Error('bad flags')
    const featureLevel = Number(values['feature-level'])
    if (!Number.isInteger(featureLevel) || featureLevel < 1 || featureLevel > newestLevel)
      throw new Error('bad flags')
    const maxUploadMib = Number(values['max-upload-mib'])
    const quota = values['upload-quota-mib']
    const uploadQuotaMib = quota === undefined ? null : Number(quota)
    const invitationValidityMinutes = Number(values['invitation-validity-minutes'])
    if (!Number.isInteger(invitationValidityMinutes) || invitationValidityMinutes < 1)
      throw new Error('bad flags')
    if (!(maxUploadMib > 0) || (uploadQuotaMib !== null && !(uploadQuotaMib >= 0)))
      throw new Error('bad flags')
    return {
      port,
      dataDir,
      backupTo: values['backup-to'] ?? null,
      demo,
      maxUploadMib,
      uploadQuotaMib,
      allowPrivateWebhooks: values['allow-private-webhooks'],
      pushBouncerUrl: values['push-bouncer'] ?? null,
      limitsPresence: values['limit-presence'],
      invitationValidityMinutes,
      featureLevel,
      accountCreators: values['may-create-users'],
      allowedHosts: values['allow-host'],
      reactivates: values.reactivate,
    }
  } catch {
    log(usage)
    process.exit(2)
  }
}

const { port, dataDir, backupTo, demo, featureLevel, reactivates, ...decided } = readFlags()
if (backupTo !== null) {
  try {
    const files = await backUp(dataDir, backupTo)
    log(`The workspace and ${files} files are in ${backupTo}.`)
    process.exit(0)
  } catch (error) {
    log(error instanceof BackupError ? error.message : String(error))
    process.exit(1)
  }
}
// The directory holds everybody's messages and keys, so no other user of this machine may read it.
mkdirSync(dataDir, { recursive: true, mode: 0o700 })
const database = openDatabase(join(dataDir, 'workspace.db'), demo === 'no' ? 'power-cut' : 'kill', log)
const stopping = new AbortController()
let mails = 0
const workspace = createWorkspace({
  database,
  clock: systemClock,
  random: Math.random,
  rateLimit: demo === 'no' ? 200 : null,
  featureLevel,
  configuration: {
    ...decided,
    passwordCost: usualPasswordCost,
    filesDirectory: join(dataDir, 'files'),
    // The service contacts no mail server; the operator sends the mails in this folder.
    sendMail: ({ to, subject, text }) => {
      const folder = join(dataDir, 'mail')
      mkdirSync(folder, { recursive: true })
      const name = `${Date.now()}-${mails++}.eml`
      writeFileSync(
        join(folder, name),
        `To: ${to}\nSubject: ${subject.replace(/\p{C}+/gu, ' ')}\n\n${text}\n`,
      )
      log(`There is a mail to send: ${join(folder, name)}`)
    },
  },
  log,
})
restoreQueues(workspace)
if (reactivates && reactivateOrganization(workspace)) log('The organization is open again.')
const server = buildServer(workspace)
const isEmpty = database.get('SELECT 1 FROM users LIMIT 1') === undefined
if (isEmpty && demo !== 'no') seedDemo(workspace)
else if (isEmpty) {
  const owner = foundOrganization(workspace)
  log(`A new workspace. Sign in as ${owner.email} with the password ${owner.password}`)
}
const address = await server.listen({ port, host: '127.0.0.1' })
workspace.url = address
void runSchedule(workspace, stopping.signal)
const webhooks = runWebhooks(workspace, stopping.signal)
if (demo === 'lively') startTeammates(workspace, stopping.signal)
process.stdout.write(
  `${JSON.stringify({ base_url: `${address}/api/v1`, ...(demo === 'no' ? {} : { accounts: demoAccounts(workspace) }) })}\n`,
)

let isStopping = false
const stop = async () => {
  if (isStopping) return
  isStopping = true
  stopping.abort()
  await server.close()
  await webhooks
  await workspace.exports.close()
  // The last changes are written and published; from now on nothing is, until the next start.
  await database.grouped(() => {})
  await turn()
  keepQueues(workspace)
  database.close()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
// Started by the app: it ends with the app, even if the app is killed.
process.on('disconnect', () => void stop())
