/** The path of an address, without query and fragment. */
export function pathOf(address: string): string {
  return address.replace(/[?#].*$/s, '')
}

/** The last segment of an address's path, decoded for people; empty if there is none. */
export function fileName(address: string): string {
  const name = pathOf(address).split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
