import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { linkToFile } from '../../../src-shared/model/outgoing-file.ts'

/** How many bytes cross the bridge at once: a multiple of three, so that base64 parts need no padding. */
const partSize = 3 * 96 * 1024

/** Files that the person removed while they were being copied. */
const cancelled = new Set<string>()

/** Makes room for a file on this device, so that a text can link to it; returns the file's id. */
export async function beginFile(bridge: Bridge, accountId: string, file: File): Promise<string> {
  const { fileId } = await bridge.call('begin-file', {
    accountId,
    name: file.name === '' ? 'file' : file.name.slice(-200),
    mediaType: file.type.slice(0, 200),
    size: file.size,
  })
  return fileId
}

/**
 * Copies a file to this device, which then uploads it. Rejects if the device cannot store it; ends early if the file is
 * cancelled.
 */
export async function copyFile(bridge: Bridge, accountId: string, fileId: string, file: File): Promise<void> {
  try {
    for (let from = 0; from < file.size && !cancelled.has(fileId); from += partSize) {
      const bytes = new Uint8Array(await file.slice(from, from + partSize).arrayBuffer())
      await bridge.call('put-file-part', { accountId, fileId, bytes: base64(bytes) })
    }
  } catch (error) {
    if (!cancelled.has(fileId)) throw error
  }
}

/** Removes a file from this device and stops its copy; an uploaded file stays on the server. */
export function cancelFile(bridge: Bridge, accountId: string, fileId: string): void {
  cancelled.add(fileId)
  void bridge.call('cancel-file', { accountId, fileId }).catch(() => {})
}

/** Bytes as base64, for the bridge. */
export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += 8_192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8_192))
  return btoa(text)
}

/** The link that a text contains for an attached file. */
export const fileMark = (name: string, fileId: string): string =>
  `[${name.replace(/[[\]\\]/g, '')}](${linkToFile(fileId)})`

/** Replaces our placeholder by the file's own address. */
export const withAddress = (text: string, fileId: string, url: string): string =>
  text.replace(`${linkToFile(fileId)})`, () => `${url})`)
