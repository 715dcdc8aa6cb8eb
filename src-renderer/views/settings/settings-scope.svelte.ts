import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type {
  DeviceSettings,
  SettingName,
  SettingValues,
  SettingChange,
} from '../../../src-shared/bridge/settings.ts'
import { changeDevice } from '../../state/change-device.ts'
import { failureText } from '../../state/failure-text.ts'
import { Watched } from '../../state/data/watched.svelte.ts'
import type { SettingRow } from './setting-rows.ts'

/** A row with one control for one setting. */
export type ValueRow = Exclude<SettingRow, { kind: 'own' }>

/** The settings of an account and of this device, as the settings view changes them. */
export class SettingsScope {
  /** Why the last change was not stored; null if it was. */
  problem = $state<string | null>(null)
  readonly #bridge: Bridge
  readonly accountId: string
  readonly #state: Watched<'settings'>
  readonly #device: Watched<'device-settings'>

  constructor(bridge: Bridge, accountId: string) {
    this.#bridge = bridge
    this.accountId = accountId
    this.#state = new Watched(bridge, 'settings', { accountId })
    this.#device = new Watched(bridge, 'device-settings', {})
  }

  /** Undefined until they are loaded. */
  get values(): SettingValues | undefined {
    return this.#state.current?.values
  }

  get device(): DeviceSettings | undefined {
    return this.#device.current
  }

  isMissing(name: SettingName): boolean {
    return this.#state.current?.missing.includes(name) === true
  }

  /** The state of a setting's last change that the server does not have yet. */
  changeOf(name: SettingName): SettingChange | undefined {
    return this.#state.current?.changes.findLast((change) => change.name === name)
  }

  set<N extends SettingName>(property: N, value: SettingValues[N]): void {
    this.#act(property, value)
  }

  /** The value of a row; undefined until it is loaded. */
  valueOf(row: ValueRow): boolean | number | string | undefined {
    return row.scope === 'device' ? this.device?.[row.name] : this.values?.[row.name]
  }

  /** The choices of a row that the account's server supports. */
  choicesOf(row: Extract<ValueRow, { kind: 'choice' }>): typeof row.choices {
    const missing = row.scope === 'account' ? (this.#state.current?.missingValues[row.name] ?? []) : []
    return row.choices.filter(({ value }) => !missing.includes(value))
  }

  /** Sets a value that came from the row's own control. */
  setRow(row: ValueRow, value: boolean | number | string): void {
    if (row.scope === 'account') this.#act(row.name, value)
    // The control offers no other values, and the engine checks once more.
    else this.setDevice({ [row.name]: value } as Partial<DeviceSettings>)
  }

  #act(property: SettingName, value: boolean | number | string): void {
    this.#keep(
      this.#bridge.call('act', {
        accountId: this.accountId,
        action: { name: 'update-setting', property, value },
      }),
    )
  }

  setDevice(settings: Partial<DeviceSettings>): void {
    this.#keep(this.#bridge.call('set-device-setting', { settings }))
  }

  /** Changes a setting with several parts, based on its latest value. */
  changeDevice(changed: (device: DeviceSettings) => Partial<DeviceSettings>): void {
    const seen = this.device
    if (seen !== undefined) this.#keep(changeDevice(this.#bridge, seen, changed))
  }

  /** Discards a change that the server refused. */
  dismiss({ localId }: SettingChange): void {
    this.#keep(this.#bridge.call('discard-outbox-item', { accountId: this.accountId, localId }))
  }

  #keep(work: Promise<unknown>): void {
    work.then(
      () => (this.problem = null),
      (error: unknown) => (this.problem = failureText(error)),
    )
  }
}
