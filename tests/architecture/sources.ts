import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** An import of a file, as it is written there. */
export interface Import {
  /** A path below the project's root for a file of the project, otherwise the package's name. */
  readonly target: string
  /** Of types alone; nothing is loaded. */
  readonly isType: boolean
  /** Loaded when it is wanted. */
  readonly isLate: boolean
}

const statement =
  /(?:^|\s|\})(?:(?:import|export)\s+(?<types>type\b)?[^'";()]*?from\s*|import\s*(?<late>\()?\s*)['"](?<target>[^'"\n]+)['"]/g

/** Every file of the project's source, by its path below the project's root, with its imports. */
export function readSources(): ReadonlyMap<string, readonly Import[]> {
  const sources = new Map<string, Import[]>()
  for (const folder of ['src-shared', 'src-server', 'src-main', 'src-renderer']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(ts|svelte)$/.test(entry.name)) continue
      const file = join(entry.parentPath, entry.name)
      const imports = [...readFileSync(file, 'utf8').matchAll(statement)].map(({ groups }): Import => {
        const { types, late, target = '' } = groups ?? {}
        return {
          target: target.startsWith('.') ? relative(root, resolve(dirname(file), target)) : target,
          isType: types !== undefined,
          isLate: late !== undefined,
        }
      })
      sources.set(relative(root, file), imports)
    }
  }
  return sources
}
