import { list } from './grammar.ts'

/** How an account reaches its server. */
export const network = {
  title: 'Network of this account',
  explained: 'How this account reaches its server. What waits stays here while you change it.',
  diagnostics: 'Diagnostics',
  use: 'Use this',
  proxy: 'Proxy',
  proxies: { system: 'As this computer says', none: 'None', address: 'This one' },
  presentProxy: (address: string) => `At the moment: ${address}`,
  noPresentProxy: 'At the moment: none',
  proxyAddress: 'Address of the proxy',
  certificate: 'Certificate of your organization',
  certificateWhen: 'Needed only where the server’s certificate is signed by an authority of your own.',
  authorities: (names: readonly string[]) => list(names),
  oneFile: 'One file',
  chooseFile: 'Choose a file…',
}
