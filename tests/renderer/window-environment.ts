import type { Environment } from 'vitest/runtime'

/** Node without a page, in which modules are compiled as for the window, so that effects run. */
export default {
  name: 'window',
  viteEnvironment: 'client',
  setup: () => ({ teardown() {} }),
} satisfies Environment
