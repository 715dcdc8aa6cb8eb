import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'

// Loaded before the built main process, for which `electron` then is the module of the rehearsal.
const stand = pathToFileURL(join(import.meta.dirname, 'index.ts')).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: stand, shortCircuit: true } : next(specifier, context),
})
