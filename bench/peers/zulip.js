// The library of the service whose interface this is. It is installed by `npm run bench -- --peers` alone.

/** A client of the server at `realm`, as its documentation makes one. */
export async function zulipClient(realm, username, apiKey) {
  const { default: zulip } = await import('zulip-js')
  return zulip({ username, apiKey, realm })
}
