import type { Migration } from './index.ts'

/**
 * The registration for which all messages here were compared with the server; 0 if some are still to be compared, -1
 * while they are compared.
 */
export const compared: Migration = {
  number: 280,
  up: (run) => run('ALTER TABLE sync ADD COLUMN compared_generation INTEGER NOT NULL DEFAULT 0'),
}
