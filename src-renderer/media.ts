/** The address of a picture from an account's server; the host fetches it with the account's key. */
export function mediaUrl(accountId: string, url: string): string {
  return `./media/${encodeURIComponent(accountId)}?url=${encodeURIComponent(url)}`
}
