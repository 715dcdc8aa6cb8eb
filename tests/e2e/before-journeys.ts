import { join } from 'node:path'
import { buildIfStale } from '../../src-main/hosts/built-app.ts'
import { chromiumPath } from './browser.ts'

/** Before the first file: two that begin together would take what the other is still unpacking or building for whole. */
export default async function beforeJourneys(): Promise<void> {
  await chromiumPath()
  if (!buildIfStale(join(import.meta.dirname, '../..'))) throw new Error('The app could not be built.')
}
