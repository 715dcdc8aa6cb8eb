import { isThisMachine } from '../../src-shared/this-machine.ts'

/** Environment variables; the names may be in lower or upper case. */
type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy for an address according to the environment variables that command-line programs use: `https_proxy` or
 * `http_proxy`, otherwise `all_proxy`, unless `no_proxy` lists the host. Null for none, and always for this machine.
 */
export function proxyFromEnvironment(environment: Environment, url: string): string | null {
  const { protocol, hostname, port } = new URL(url)
  const read = (name: string) => environment[name] ?? environment[name.toUpperCase()] ?? ''
  if (isThisMachine(hostname)) return null
  const spared = read('no_proxy')
    .split(/[\s,]+/)
    .filter((rule) => rule !== '')
  if (spared.some((rule) => isSpared(rule.toLowerCase(), hostname, port))) return null
  const proxy = read(protocol === 'https:' ? 'https_proxy' : 'http_proxy') || read('all_proxy')
  if (proxy === '') return null
  const address = proxy.includes('://') ? proxy : `http://${proxy}`
  return URL.canParse(address) ? address : null
}

function isSpared(rule: string, hostname: string, port: string): boolean {
  if (rule === '*') return true
  const [name = '', onlyPort] = rule.split(':')
  if (onlyPort !== undefined && onlyPort !== port) return false
  const host = name.replace(/^\*?\./, '')
  return hostname === host || hostname.endsWith(`.${host}`)
}

const schemes: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS5: 'socks5',
  SOCKS: 'socks5',
}

/** The first supported proxy of a list as Chromium returns it, such as "PROXY a:3128; DIRECT"; null for none. */
export function proxyFromRules(rules: string): string | null {
  for (const rule of rules.split(';')) {
    const [kind = '', host = ''] = rule.trim().split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') return null
    const scheme = schemes[kind.toUpperCase()]
    if (scheme !== undefined && URL.canParse(`${scheme}://${host}`)) return `${scheme}://${host}`
  }
  return null
}
