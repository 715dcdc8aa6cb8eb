/** Whether a row stays while the sidebar is filtered; an empty filter leaves every one. */
export function fits(name: string, filter: string): boolean {
  const wanted = filter.trim().toLowerCase()
  return wanted === '' || name.toLowerCase().includes(wanted)
}
