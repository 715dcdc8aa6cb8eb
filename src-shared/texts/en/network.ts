import { list } from './grammar.ts'

/** How an account reaches its server. */
export const network = {
  title: 'Network of this account',
  explained: 'How this account reaches its server. What is queued stays here while you change this.',
  diagnostics: 'Diagnostics',
  use: 'Use this',
  proxy: 'Proxy',
  proxies: { system: 'Same as this computer', none: 'None', address: 'Custom' },
  presentProxy: (address: string) => `Currently ${address}`,
  noPresentProxy: 'Currently none',
  proxyAddress: 'Proxy address',
  certificate: 'Your organization’s certificate',
  certificateWhen: 'Only needed if your organization signs its server’s certificate itself.',
  authorities: (names: readonly string[]) => list(names),
  oneFile: 'One file',
  chooseFile: 'Choose a file…',
}
