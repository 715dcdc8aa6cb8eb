import { pathOf } from '../file-name.ts'

const extensions = {
  image: ['bmp', 'gif', 'heic', 'jpe', 'jpeg', 'jpg', 'png', 'tif', 'tiff', 'webp', 'avif'],
  video: ['mp4', 'webm', 'mov'],
  audio: ['aac', 'flac', 'mp3', 'wav'],
} as const

/** True when the address names a file of that kind. */
export function hasExtension(address: string, kind: keyof typeof extensions): boolean {
  const path = pathOf(address).replace(/^[a-z]+:\/\/[^/]*/i, '')
  const extension = /\.([a-z0-9]{2,5})$/i.exec(path)?.[1]?.toLowerCase()
  return extensions[kind].some((known) => known === extension)
}

/** True for a file that was uploaded to this service. */
export function isUpload(address: string): boolean {
  return address.startsWith('/user_uploads/')
}
