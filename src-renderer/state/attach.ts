import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { linkToFile } from '../../src-shared/model/outgoing-file.ts'

/** How many bytes cross the bridge at once: a multiple of three, so that base64 parts need no padding. */
const partSize = 3 * 96 * 1024

/**
 * Copies a file to this device and starts its upload. The promise resolves with the file's id as soon as there is room
 * for it, so that the text can link to it. The copy continues, and rejects if the device cannot store it.
 */
export async function attach(
  bridge: Bridge,
  accountId: string,
  file: File,
): Promise<{ fileId: string; copied: Promise<void> }> {
  const { fileId } = await bridge.call('begin-file', {
    accountId,
    name: file.name === '' ? 'file' : file.name.slice(-200),
    mediaType: file.type.slice(0, 200),
    size: file.size,
  })
  return { fileId, copied: copy(bridge, accountId, fileId, file) }
}

async function copy(bridge: Bridge, accountId: string, fileId: string, file: File): Promise<void> {
  for (let from = 0; from < file.size; from += partSize) {
    const bytes = new Uint8Array(await file.slice(from, from + partSize).arrayBuffer())
    await bridge.call('put-file-part', { accountId, fileId, bytes: base64(bytes) })
  }
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += 8_192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8_192))
  return btoa(text)
}

/** The link that a text contains for an attached file. */
export const fileMark = (name: string, fileId: string): string =>
  `[${name.replace(/[[\]\\]/g, '')}](${linkToFile(fileId)})`

/**
 * Replaces our placeholder by the file's own address in a field's text; the caret keeps its place among the words.
 */
export function withAddress(
  text: { readonly value: string; readonly start: number; readonly end: number },
  fileId: string,
  url: string,
): { value: string; start: number; end: number } {
  const link = linkToFile(fileId)
  const at = text.value.indexOf(`${link})`)
  if (at === -1) return text
  const moved = (place: number) => (place > at ? Math.max(at, place + url.length - link.length) : place)
  return {
    value: text.value.slice(0, at) + url + text.value.slice(at + link.length),
    start: moved(text.start),
    end: moved(text.end),
  }
}
