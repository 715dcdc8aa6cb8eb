import { afterEach, expect, test, vi } from 'vitest'
import { t } from '../../src-shared/texts/texts.ts'
import { copyToClipboard } from '../../src-renderer/state/clipboard.ts'
import { failureText } from '../../src-renderer/state/failure-text.ts'

afterEach(() => vi.unstubAllGlobals())

test('a text is put into the clipboard', async () => {
  const writeText = vi.fn(() => Promise.resolve())
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  await copyToClipboard('#**maps>tiles**')
  expect(writeText).toHaveBeenCalledWith('#**maps>tiles**')
})

test('where that is not allowed it is said in words for people', async () => {
  vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(new Error('NotAllowedError')) } })
  const said = await copyToClipboard('a link').catch(failureText)
  expect(said).toBe(t.shared.cannotCopy)
})

test('so it is where a page has no clipboard at all', async () => {
  vi.stubGlobal('navigator', {})
  expect(await copyToClipboard('a link').catch(failureText)).toBe(t.shared.cannotCopy)
})
