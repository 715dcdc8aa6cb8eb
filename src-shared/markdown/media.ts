const extensions = {
  image: ['bmp', 'gif', 'heic', 'jpe', 'jpeg', 'jpg', 'png', 'tif', 'tiff', 'webp', 'avif'],
  video: ['mp4', 'webm', 'mov'],
  audio: ['aac', 'flac', 'mp3', 'wav'],
} as const

/** The path of an address, without query and fragment. */
export function pathOf(address: string): string {
  return address.replace(/[?#].*$/s, '')
}

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

/** The last segment of the path, decoded for people. */
export function fileName(address: string): string {
  const name = pathOf(address).split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
