import type { network as en } from '../en/network.ts'
import { list } from './grammar.ts'

export const network: typeof en = {
  title: 'Netzwerk dieses Kontos',
  explained: 'Wie dieses Konto seinen Server erreicht. Was wartet, bleibt hier, während du es änderst.',
  diagnostics: 'Diagnose',
  use: 'Übernehmen',
  proxy: 'Proxy',
  proxies: { system: 'Wie dieser Computer', none: 'Keiner', address: 'Dieser' },
  presentProxy: (address) => `Zurzeit: ${address}`,
  noPresentProxy: 'Zurzeit: keiner',
  proxyAddress: 'Adresse des Proxys',
  certificate: 'Zertifikat deiner Organisation',
  certificateWhen:
    'Nur nötig, wenn eine eigene Zertifizierungsstelle das Zertifikat des Servers ausgestellt hat.',
  authorities: (names) => list(names),
  oneFile: 'Eine Datei',
  chooseFile: 'Datei auswählen …',
}
