import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { BackupError, backUp } from './backup.ts'
import { buildServer } from './build-server.ts'
import { systemClock } from '../src-shared/clock/clock.ts'
import { openDatabase } from './database.ts'
import { reactivateOrganization } from './organization/deactivation.ts'
import { demoAccounts, seedDemo, startTeammates } from './demo/index.ts'
import { foundOrganization } from './organization/found-organization.ts'
import { keepQueues, restoreQueues } from './events/kept-queues.ts'
import { runSchedule } from './messages/schedule.ts'
import { runWebhooks } from './webhooks/deliver.ts'
import { usualPasswordCost } from './people/passwords.ts'
import { createWorkspace } from './create-workspace.ts'
import { readFlags, usage, type Flags } from './flags.ts'

const log = (line: string) => process.stderr.write(`${line}\n`)

function flagsOrExit(): Flags {
  try {
    const flags = readFlags(process.argv.slice(2))
    if (flags !== null) return flags
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  } catch (error) {
    log(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}

const { port, dataDir, backupTo, demo, featureLevel, reactivates, ...decided } = flagsOrExit()
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
