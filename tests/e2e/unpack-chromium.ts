import { chromiumPath } from './browser.ts'

/** Before the first file: two that begin together would take what the other is still unpacking for whole. */
export default async function unpackChromium(): Promise<void> {
  await chromiumPath()
}
