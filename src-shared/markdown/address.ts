import type { MarkdownContext } from './render.ts'

const allowedSchemes = new Set([
  ...['http', 'https', 'ftp', 'ftps', 'sftp', 'file', 'mailto', 'tel', 'sms', 'bitcoin', 'geo', 'git', 'irc'],
  ...['ircs', 'magnet', 'matrix', 'news', 'nntp', 'sip', 'sips', 'ssh', 'svn', 'urn', 'webcal', 'xmpp'],
])

/** C0 controls and DEL. Browsers drop some of them inside an address, which can turn one scheme into another. */

const controls = /[\u0000-\u001f\u007f]/

/**
 * Turns a typed address into one that is safe in `href`; undefined if it may not be linked.
 *
 * Only schemes on our list pass. An address without a scheme becomes `http://…` or `mailto:…`. Addresses of the
 * organization itself become relative, so that they still work after it moves to another address.
 */
export function safeAddress(typed: string, context: Pick<MarkdownContext, 'realmUrl'>): string | undefined {
  const address = typed
    .trim()
    .replace(/\\/g, '%5C')
    .replace(/[\s\u00a0]/g, '%20')
  if (address === '' || controls.test(typed.trim())) return undefined
  const realm = context.realmUrl.replace(/\/$/, '')
  if (address.startsWith(`${realm}/#`)) return address.slice(realm.length + 1)
  if (address.startsWith(`${realm}/user_uploads/`)) return address.slice(realm.length)

  if (/^(?:[a-z0-9-]+\.)+[a-z0-9-]+:\d+(?:[/?#]|$)|^localhost:\d+/i.test(address)) return `http://${address}`
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]
  if (scheme !== undefined) return allowedSchemes.has(scheme.toLowerCase()) ? address : undefined
  if (address.startsWith('//')) return `http:${address}`
  if (/^[/#]/.test(address)) return address
  if (/^[^/@:]+@[^/@:]+\.[^/@:]+$/.test(address)) return `mailto:${address}`
  return /^[\p{L}\p{N}][^:]*(?:$|[/?#])/u.test(address) ? `http://${address}` : undefined
}
