/** Counts the commits that touched a table. */
interface Table {
  version: number
}

interface Remembered {
  readonly value: unknown
  /** The names of the tables that it was computed from. */
  readonly names: ReadonlySet<string>
  readonly tables: readonly Table[]
  /** The sum of the tables' versions at that time; versions only grow. */
  readonly stamp: number
}

const stampOf = (tables: readonly Table[]): number => tables.reduce((sum, { version }) => sum + version, 0)

/**
 * Values computed from tables, stored by name until one of their tables is written. Every commit must be reported with
 * `changed`.
 */
export class RememberedValues {
  readonly #tables = new Map<string, Table>()
  readonly #values = new Map<string, Remembered>()

  /** The value with this name, if its tables have not changed. */
  find(name: string): Pick<Remembered, 'value' | 'names'> | undefined {
    const known = this.#values.get(name)
    return known !== undefined && known.stamp === stampOf(known.tables) ? known : undefined
  }

  keep(name: string, value: unknown, names: ReadonlySet<string>): void {
    const tables = [...names].map((table) => this.#table(table))
    this.#values.set(name, { value, names, tables, stamp: stampOf(tables) })
  }

  /** Must be called with each table that a commit touched. */
  changed(name: string): void {
    this.#table(name).version++
  }

  #table(name: string): Table {
    let table = this.#tables.get(name)
    if (table === undefined) this.#tables.set(name, (table = { version: 0 }))
    return table
  }
}
