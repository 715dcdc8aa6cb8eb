import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ApiExport } from '../../src-shared/api/exports.ts'
import { humanAdministrators } from '../permissions/roles.ts'
import { badRequest, notFound } from '../service-error.ts'
import type { UserRow, Workspace } from '../workspace.ts'

/** What is exported, by its number in the API. */
const exportKinds = { 1: 'public', 2: 'standard' } as const

/** A row of the table of exports; times are epoch milliseconds, null if it did not happen. */
export interface ExportRow {
  readonly export_id: number
  readonly export_type: 1 | 2
  readonly acting_user_id: number
  readonly secret: string
  readonly started_ms: number
  readonly finished_ms: number | null
  readonly failed_ms: number | null
  readonly deleted_ms: number | null
}

const isPending = (row: ExportRow): boolean =>
  row.finished_ms === null && row.failed_ms === null && row.deleted_ms === null

const seconds = (ms: number | null) => (ms === null ? null : ms / 1_000)

/** The path of an export's archive: beside the uploaded files, where it is not backed up. */
export const archiveOf = ({ configuration }: Workspace, { secret }: Pick<ExportRow, 'secret'>): string =>
  join(dirname(configuration.filesDirectory), 'exports', `${secret}.tar.gz`)

function rows({ db }: Workspace): ExportRow[] {
  return db.all<ExportRow>('SELECT * FROM realm_exports ORDER BY export_id')
}

/** The export whose archive is served at the address with this secret. */
export const exportOf = (workspace: Workspace, secret: string): ExportRow | undefined =>
  rows(workspace).find((row) => row.secret === secret && row.finished_ms !== null && row.deleted_ms === null)

/** All exports, as the API shows them to administrators, oldest first. */
export const exportList = (workspace: Workspace): ApiExport[] =>
  rows(workspace).map((row) => ({
    id: row.export_id,
    acting_user_id: row.acting_user_id,
    export_time: row.started_ms / 1_000,
    deleted_timestamp: seconds(row.deleted_ms),
    failed_timestamp: seconds(row.failed_ms),
    export_url:
      row.finished_ms === null || row.deleted_ms !== null
        ? null
        : `${workspace.url}/exports/${row.secret}/${fileName(row)}`,
    pending: isPending(row),
    export_type: row.export_type,
  }))

/** The file name of a downloaded archive. */
export const fileName = ({ started_ms }: ExportRow): string =>
  `organization-${new Date(started_ms).toISOString().slice(0, 10)}.tar.gz`

const publish = (workspace: Workspace): void =>
  workspace.publish(humanAdministrators(workspace.db), {
    type: 'realm_export',
    exports: exportList(workspace),
  })

/**
 * Starts to export the organization's data in a worker thread; returns the export's id. Administrators are told when
 * it starts, finishes or fails. Throws BAD_REQUEST while another export is being made.
 */
export function startExport(workspace: Workspace, user: UserRow, type: 1 | 2): number {
  const { db, clock } = workspace
  if (rows(workspace).some(isPending))
    throw badRequest('An export is being made already. Wait until it is done.')
  const secret = randomBytes(32).toString('base64url')
  const { lastId: id } = db.run(
    'INSERT INTO realm_exports (export_type, acting_user_id, secret, started_ms) VALUES (?, ?, ?, ?)',
    type,
    user.user_id,
    secret,
    clock.now(),
  )
  publish(workspace)
  const job = {
    database:
      db.get<{ file: string }>("SELECT file FROM pragma_database_list WHERE name = 'main'")?.file ?? '',
    filesDirectory: workspace.configuration.filesDirectory,
    target: archiveOf(workspace, { secret }),
    kind: exportKinds[type],
  }
  workspace.exports.make(job, (fault) => {
    if (fault !== null) workspace.log(`An export failed: ${fault}`)
    const column = fault === null ? 'finished_ms' : 'failed_ms'
    db.run(`UPDATE realm_exports SET ${column} = ? WHERE export_id = ?`, clock.now(), id)
    publish(workspace)
  })
  return id
}

/** Deletes the archive of an export, and with it its address. Throws if there is none. */
export async function removeExport(workspace: Workspace, id: number): Promise<void> {
  const row = rows(workspace).find((one) => one.export_id === id)
  if (row === undefined) throw notFound('Invalid data export ID')
  if (row.deleted_ms !== null) throw badRequest('Export already deleted')
  if (row.failed_ms !== null) throw badRequest('Export failed, nothing to delete')
  if (row.finished_ms === null) throw badRequest('Export still in progress')
  workspace.db.run('UPDATE realm_exports SET deleted_ms = ? WHERE export_id = ?', workspace.clock.now(), id)
  await rm(archiveOf(workspace, row), { force: true })
  publish(workspace)
}

/** Marks exports that were unfinished when the service ended as failed. */
export function endInterruptedExports(workspace: Workspace): void {
  for (const row of rows(workspace).filter(isPending)) {
    workspace.db.run(
      'UPDATE realm_exports SET failed_ms = ? WHERE export_id = ?',
      workspace.clock.now(),
      row.export_id,
    )
    void rm(`${archiveOf(workspace, row)}.part`, { force: true })
  }
}

/** Whether each person consents to the export of their private data. */
export const exportConsents = ({ db }: Workspace) =>
  db
    .all<{ user_id: number; consented: number }>(
      `SELECT u.user_id, coalesce(s.value = 'true', 0) AS consented FROM users u
         LEFT JOIN user_settings s ON s.user_id = u.user_id AND s.name = 'allow_private_data_export'
       WHERE u.is_active = 1 AND u.bot_type IS NULL ORDER BY u.user_id`,
    )
    .map((row) => ({ user_id: row.user_id, consented: row.consented === 1 }))

/** Tells administrators whether a person consents to the export of their private data. */
export function publishConsent(workspace: Workspace, userId: number): void {
  const consent = exportConsents(workspace).find((one) => one.user_id === userId)
  if (consent !== undefined)
    workspace.publish(humanAdministrators(workspace.db), { type: 'realm_export_consent', ...consent })
}
