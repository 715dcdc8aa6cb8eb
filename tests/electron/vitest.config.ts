import { defineConfig } from 'vitest/config'

// Apart from `npm test`: these need an Electron runtime, and say that they were skipped where there is none.
export default defineConfig({
  test: { include: ['tests/electron/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
})
