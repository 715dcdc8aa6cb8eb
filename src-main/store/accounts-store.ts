import Sqlite from 'better-sqlite3'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { FailureError } from '../../src-shared/failure.ts'
import { accountId, userId, type AccountId, type UserId } from '../../src-shared/ids.ts'
import { deviceSettingsFrom, type DeviceSettings } from '../../src-shared/bridge/settings.ts'
import { accountNetworkSchema } from '../../src-shared/bridge/schemas.ts'
import { usualNetwork, type AccountNetwork } from '../../src-shared/model/network.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { accountsCopy, type AccountsCopy } from './accounts-copy.ts'
import { deviceFailure } from './device-failure.ts'

/** An account as this device remembers it; its key is in the keychain. */
export interface KnownAccount {
  readonly id: AccountId
  readonly baseUrl: string
  readonly email: string
  readonly userId: UserId
  readonly fullName: string
  readonly organizationName: string
  readonly organizationIconUrl: string | null
  readonly isDemo: boolean
}

/** The tiny file that lists the accounts and keeps this device's settings. */
export interface AccountsStore {
  all(): KnownAccount[]
  /** Adds an account or changes it, together with how its requests travel where that is given. */
  put(account: KnownAccount, network?: AccountNetwork): void
  /** Takes an account off the list, and notes that it is leaving: its keys and its file are still to be removed. */
  leave(id: AccountId): void
  /** Those that are leaving. */
  leaving(): AccountId[]
  /** Nothing of the account is left on this device. */
  hasLeft(id: AccountId): void
  /** How the account's requests travel; the usual way unless one was set. */
  network(id: AccountId): AccountNetwork
  setNetwork(id: AccountId, network: AccountNetwork): void
  deviceSettings(): DeviceSettings
  setDeviceSettings(change: Partial<DeviceSettings>): void
  close(): void
}

interface AccountRow {
  account_id: string
  base_url: string
  email: string
  user_id: number
  full_name: string
  organization_name: string
  organization_icon_url: string | null
  is_demo: number
}

/** What the file consists of, in the order in which it came to be. */
const forms = [
  `CREATE TABLE accounts (
     account_id TEXT PRIMARY KEY, base_url TEXT NOT NULL, email TEXT NOT NULL, user_id INTEGER NOT NULL,
     full_name TEXT NOT NULL, organization_name TEXT NOT NULL, organization_icon_url TEXT,
     is_demo INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE device_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`,
  'CREATE TABLE account_networks (account_id TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;',
  'CREATE TABLE leaving_accounts (account_id TEXT PRIMARY KEY) STRICT;',
]
const newest = forms.length

/**
 * Opens `app.db` in the data directory; one that is damaged or gone is made anew from its copy and kept beside. Others
 * have their turn between the steps. Rejects with a `FailureError` of kind device when it cannot.
 */
export async function openAccountsStore(
  dataDirectory: string,
  log: (line: string) => void,
): Promise<AccountsStore> {
  const path = join(dataDirectory, 'app.db')
  const copy = accountsCopy(join(dataDirectory, 'app-copy.json'))
  const fill = (sqlite: Sqlite.Database) => restore(sqlite, copy, log)
  try {
    let sqlite = await openSound(path, fill)
    if (sqlite === null) {
      const kept = `${path}.damaged-${Date.now()}`
      renameSync(path, kept)
      for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
      log(`accounts: the list was damaged; it is kept as ${kept}`)
      sqlite = openPrepared(path, fill)
    }
    await turn()
    return overFile(sqlite, path, copy, log)
  } catch (error) {
    throw error instanceof FailureError
      ? error
      : new FailureError(deviceFailure(error, path), { cause: error })
  }
}

/** The open file, or null when it is damaged. */
async function openSound(
  path: string,
  fill: (sqlite: Sqlite.Database) => void,
): Promise<Sqlite.Database | null> {
  let sqlite: Sqlite.Database | null = null
  try {
    sqlite = openPrepared(path, fill)
    await turn()
    // Small enough to be read as a whole at each start.
    if (String(sqlite.pragma('quick_check(1)', { simple: true })) === 'ok' && isReadable(sqlite))
      return sqlite
  } catch (error) {
    const failure = deviceFailure(error, path)
    if (error instanceof FailureError || failure.kind !== 'device' || failure.code !== 'damaged') {
      sqlite?.close()
      throw error
    }
  }
  sqlite?.close()
  return null
}

/** Opens the file. A new one is made and filled in one transaction, so that none stays without its content. */
function openPrepared(path: string, fill: (sqlite: Sqlite.Database) => void): Sqlite.Database {
  const sqlite = new Sqlite(path)
  try {
    const version = Number(sqlite.pragma('user_version', { simple: true }))
    if (version > newest) {
      throw new FailureError({
        kind: 'device',
        code: 'newer-version',
        message: t.failures.device.newerFolder,
      })
    }
    sqlite.pragma('journal_mode = WAL')
    // What is taken out of it is nowhere in the file any more.
    sqlite.pragma('secure_delete = ON')
    sqlite.transaction(() => {
      for (const [index, sql] of forms.entries()) if (version <= index) sqlite.exec(sql)
      if (version === 0) fill(sqlite)
      sqlite.pragma(`user_version = ${newest}`)
    })()
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** A flipped letter is a sound page with another text: what is read back has to be what is written here. */
function isReadable(sqlite: Sqlite.Database): boolean {
  try {
    for (const table of copied) {
      for (const row of sqlite.prepare(`SELECT * FROM ${table}`).all()) {
        const value: unknown = Reflect.get(Object(row), 'value')
        if (typeof value === 'string') JSON.parse(value)
      }
    }
    return true
  } catch {
    return false
  }
}

/** What the copy holds, by table. */
const copied = ['accounts', 'account_networks', 'device_settings'] as const

/** Takes the content of a new file from the copy. Throws if the disk refuses. */
function restore(sqlite: Sqlite.Database, copy: AccountsCopy, log: (line: string) => void): void {
  const content = copy.read()
  if (typeof content !== 'object' || content === null) return
  for (const table of copied) {
    const rows: unknown = Reflect.get(content, table)
    for (const row of Array.isArray(rows) ? rows : []) {
      try {
        const columns = Object.entries(Object(row))
        sqlite
          .prepare(
            `INSERT OR REPLACE INTO ${table} (${columns.map(([name]) => `"${name.replaceAll('"', '')}"`).join(', ')})
             VALUES (${columns.map(() => '?').join(', ')})`,
          )
          .run(columns.map(([, value]) => value))
      } catch (error) {
        // A row that does not fit concerns only itself; a full disk concerns all.
        if (deviceFailure(error, sqlite.name).kind === 'device') throw error
        log(`accounts: a row of the copy could not be used: ${String(error)}`)
      }
    }
    if (Array.isArray(rows) && rows.length > 0)
      log(`accounts: ${rows.length} rows of ${table} came from the copy`)
  }
}

function overFile(
  sqlite: Sqlite.Database,
  path: string,
  copy: AccountsCopy,
  log: (line: string) => void,
): AccountsStore {
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw new FailureError(deviceFailure(error, path), { cause: error })
    }
  }
  const tryCopy = (isDue = () => true): void => {
    try {
      if (!isDue()) return
      copy.write(
        Object.fromEntries(copied.map((table) => [table, sqlite.prepare(`SELECT * FROM ${table}`).all()])),
      )
    } catch (error) {
      // The file has it; the copy is for the day on which the file has not.
      log(`accounts: the copy could not be written: ${deviceFailure(error, path).message}`)
    }
  }
  const changed = (work: () => void): void => {
    guarded(sqlite.transaction(work))
    tryCopy()
  }
  const writeNetwork = (id: AccountId, network: AccountNetwork) =>
    sqlite
      .prepare('INSERT OR REPLACE INTO account_networks (account_id, value) VALUES (?, ?)')
      .run(id, JSON.stringify(network))
  // An earlier version kept none.
  tryCopy(() => copy.read() === null)
  return {
    all: () =>
      guarded(() =>
        // The columns are those of the table above.
        (sqlite.prepare('SELECT * FROM accounts ORDER BY rowid').all() as AccountRow[]).map((row) => ({
          id: accountId(row.account_id),
          baseUrl: row.base_url,
          email: row.email,
          userId: userId(row.user_id),
          fullName: row.full_name,
          organizationName: row.organization_name,
          organizationIconUrl: row.organization_icon_url,
          isDemo: row.is_demo === 1,
        })),
      ),
    put: (account, network) =>
      changed(() => {
        sqlite
          .prepare(
            `INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account_id) DO UPDATE SET
               base_url = excluded.base_url, email = excluded.email, user_id = excluded.user_id,
               full_name = excluded.full_name, organization_name = excluded.organization_name,
               organization_icon_url = excluded.organization_icon_url, is_demo = excluded.is_demo`,
          )
          .run(
            account.id,
            account.baseUrl,
            account.email,
            account.userId,
            account.fullName,
            account.organizationName,
            account.organizationIconUrl,
            account.isDemo ? 1 : 0,
          )
        if (network !== undefined) writeNetwork(account.id, network)
      }),
    leave: (id) =>
      changed(() => {
        sqlite.prepare('INSERT OR IGNORE INTO leaving_accounts (account_id) VALUES (?)').run(id)
        sqlite.prepare('DELETE FROM accounts WHERE account_id = ?').run(id)
        sqlite.prepare('DELETE FROM account_networks WHERE account_id = ?').run(id)
      }),
    leaving: () =>
      guarded(() =>
        // The column is that of the table above.
        (sqlite.prepare('SELECT account_id FROM leaving_accounts').pluck().all() as string[]).map((id) =>
          accountId(id),
        ),
      ),
    hasLeft: (id) =>
      changed(() => sqlite.prepare('DELETE FROM leaving_accounts WHERE account_id = ?').run(id)),
    network: (id) =>
      guarded(() => {
        const row: unknown = sqlite.prepare('SELECT value FROM account_networks WHERE account_id = ?').get(id)
        const value: unknown = Reflect.get(Object(row), 'value')
        const read = accountNetworkSchema.safeParse(typeof value === 'string' ? JSON.parse(value) : null)
        return read.success ? read.data : usualNetwork
      }),
    setNetwork(id, network) {
      changed(() => writeNetwork(id, network))
      // Nor does the log keep what was there before.
      guarded(() => sqlite.pragma('wal_checkpoint(TRUNCATE)'))
    },
    deviceSettings: () =>
      guarded(() => {
        // As above.
        const rows = sqlite.prepare('SELECT name, value FROM device_settings').all() as {
          name: string
          value: string
        }[]
        return deviceSettingsFrom(
          Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)])),
        )
      }),
    setDeviceSettings: (change) =>
      changed(() => {
        const statement = sqlite.prepare('INSERT OR REPLACE INTO device_settings VALUES (?, ?)')
        for (const [name, value] of Object.entries(change)) statement.run(name, JSON.stringify(value))
      }),
    close: () => sqlite.close(),
  }
}
