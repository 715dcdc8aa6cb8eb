// The library of the service whose API this is. Only `npm run bench -- --peers` installs it.

/** A client of the server at `realm`, created as its documentation says. */
export async function zulipClient(realm, username, apiKey) {
  const { default: zulip } = await import('zulip-js')
  return zulip({ username, apiKey, realm })
}
