import { join } from 'node:path'
import { buildIfStale } from '../../src-main/hosts/built-app.ts'
import { chromiumPath } from './browser.ts'

/**
 * Runs before the first test file. Two files that start together would otherwise use a Chromium or an app that the
 * other is still unpacking or building.
 */
export default async function beforeJourneys(): Promise<void> {
  await chromiumPath()
  if (!buildIfStale(join(import.meta.dirname, '../..'))) throw new Error('The app could not be built.')
}
