/** Where a picture of an account's server is loaded from: the host fetches it with the account's key. */
export function mediaUrl(accountId: string, url: string): string {
  return `./media/${encodeURIComponent(accountId)}?url=${encodeURIComponent(url)}`
}
