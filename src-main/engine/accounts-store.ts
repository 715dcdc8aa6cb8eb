import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { FailureError } from '../../src-shared/failure.ts'
import { accountId, userId, type AccountId, type UserId } from '../../src-shared/ids.ts'
import { deviceSettingsFrom, type DeviceSettings } from '../../src-shared/bridge/settings.ts'
import { deviceFailure } from '../store/device-failure.ts'

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
  put(account: KnownAccount): void
  remove(id: AccountId): void
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

/** Opens `app.db` in the data directory. Throws a `FailureError` of kind device when it cannot. */
export function openAccountsStore(dataDirectory: string): AccountsStore {
  const path = join(dataDirectory, 'app.db')
  try {
    const sqlite = new Sqlite(path)
    sqlite.pragma('journal_mode = WAL')
    const version = Number(sqlite.pragma('user_version', { simple: true }))
    if (version > 1) {
      sqlite.close()
      throw new FailureError({
        kind: 'device',
        code: 'newer-version',
        message:
          'This folder was used by a newer version of Dunlin. Nothing in it was changed and everything is safe: open it with that version, or update this one.',
      })
    }
    if (version === 0) {
      sqlite.transaction(() => {
        sqlite.exec(`
          CREATE TABLE accounts (
            account_id TEXT PRIMARY KEY, base_url TEXT NOT NULL, email TEXT NOT NULL, user_id INTEGER NOT NULL,
            full_name TEXT NOT NULL, organization_name TEXT NOT NULL, organization_icon_url TEXT,
            is_demo INTEGER NOT NULL
          ) STRICT;
          CREATE TABLE device_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`)
        sqlite.pragma('user_version = 1')
      })()
    }
    return overFile(sqlite, path)
  } catch (error) {
    throw error instanceof FailureError
      ? error
      : new FailureError(deviceFailure(error, path), { cause: error })
  }
}

function overFile(sqlite: Sqlite.Database, path: string): AccountsStore {
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw new FailureError(deviceFailure(error, path), { cause: error })
    }
  }
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
    put: (account) =>
      guarded(() => {
        sqlite
          .prepare(
            `INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account_id) DO UPDATE SET
               base_url = excluded.base_url, email = excluded.email, full_name = excluded.full_name,
               organization_name = excluded.organization_name, organization_icon_url = excluded.organization_icon_url`,
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
      }),
    remove: (id) =>
      guarded(() => {
        sqlite.prepare('DELETE FROM accounts WHERE account_id = ?').run(id)
      }),
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
      guarded(() => {
        const statement = sqlite.prepare('INSERT OR REPLACE INTO device_settings VALUES (?, ?)')
        for (const [name, value] of Object.entries(change)) statement.run(name, JSON.stringify(value))
      }),
    close: () => sqlite.close(),
  }
}
