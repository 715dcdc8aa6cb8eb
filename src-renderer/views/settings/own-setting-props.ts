import type { AccountId } from '../../../src-shared/ids.ts'
import type { SettingsScope } from './settings-scope.svelte.ts'

/** What a row of the settings is given that has a component of its own. */
export interface OwnSettingProps {
  readonly settings: SettingsScope
  readonly accountId: AccountId
  readonly title: string
  readonly help: string | undefined
  /** The search led to this row. */
  readonly isFound: boolean
}
