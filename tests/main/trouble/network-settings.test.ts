import { readFileSync, readdirSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { usualNetwork, type AccountNetwork } from '../../../src-shared/model/network.ts'
import { findOrganization } from '../../../src-main/engine/sign-in.ts'
import { proxyFromEnvironment, proxyFromRules } from '../../../src-main/hosts/system-proxy.ts'
import { openAccountsStore } from '../../../src-main/store/accounts-store.ts'
import { authority, good } from '../../fakes/certificates.ts'
import { manualClock } from '../../fakes/clock.ts'
import { startService, type TestService } from '../../support/service.ts'
import { newFolder, openBench, removeFolders, systemProxy, type Bench } from './bench.ts'

// Proxies and certificate authorities as settings of an account, with real proxies and real TLS.

let service: TestService
let bench: Bench
let maren: { email: string; apiKey: string }
const servers: Server[] = []

beforeEach(async () => {
  service = await startService()
  maren = service.createUser('Maren Aske')
  bench = await openBench({
    directory: newFolder(),
    signIn: { baseUrl: service.baseUrl, ...maren },
    clock: manualClock(),
  })
})
afterEach(async () => {
  systemProxy.url = null
  await bench.close()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  await service.close()
})
afterAll(removeFolders)

const listening = async (server: Server): Promise<number> => {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It listens on an address and port, so this is not a pipe's name.
  return (server.address() as AddressInfo).port
}

/** Passes requests on to the service, as a proxy (by the request line) or as a server in front of it. */
const passOn =
  (seen: string[]) =>
  (
    from: Parameters<Parameters<typeof createServer>[1] & object>[0],
    to: Parameters<Parameters<typeof createServer>[1] & object>[1],
  ) => {
    seen.push(from.url ?? '')
    const url = new URL(from.url ?? '/', service.baseUrl)
    const onwards = request(
      {
        host: '127.0.0.1',
        port: new URL(service.baseUrl).port,
        path: url.pathname + url.search,
        method: from.method,
        headers: from.headers,
      },
      (answer) => {
        to.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(to)
      },
    )
    onwards.on('error', () => to.destroy())
    from.pipe(onwards)
  }

async function startProxy(): Promise<{ url: string; seen: string[]; server: Server }> {
  const seen: string[] = []
  const server = createServer(passOn(seen))
  return { url: `http://127.0.0.1:${await listening(server)}`, seen, server }
}

const network = (proxyUrl: string): AccountNetwork => ({
  proxy: { kind: 'address', url: proxyUrl },
  certificates: null,
})
const set = (to: AccountNetwork) =>
  bench.bridge.call('set-network', { accountId: bench.accountId, network: to })
const state = (isWanted: (status: string) => boolean) =>
  bench.until('sync-state', { accountId: bench.accountId }, ({ status }) => isWanted(status))
const failureFrom = async (work: Promise<unknown>): Promise<Failure> =>
  failureOf(await work.catch((error: unknown) => error))

test('an account that names a proxy uses it for everything, also after a restart', async () => {
  const proxy = await startProxy()
  await set(network(proxy.url))
  await state((status) => status === 'synced')
  expect(proxy.seen.length).toBeGreaterThan(0)
  expect(proxy.seen.every((url) => url.startsWith(service.baseUrl))).toBe(true)
  const { directory } = bench
  await bench.close()
  const before = proxy.seen.length
  bench = await openBench({ directory, clock: manualClock() })
  await state((status) => status === 'synced')
  expect(proxy.seen.length).toBeGreaterThan(before)
  expect(await bench.bridge.call('read-network', { accountId: bench.accountId })).toMatchObject({
    network: network(proxy.url),
    presentProxy: proxy.url,
  })
})

/** The content of all files in the folder, as one text. */
const folderText = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

test('the name and password for a proxy are used, and lie in the keychain alone', async () => {
  const asked: unknown[] = []
  const closed = createServer((from, to) => {
    asked.push(from.headers['proxy-authorization'])
    passOn([])(from, to)
  })
  const port = await listening(closed)
  const url = `http://maren:wind%40sea@127.0.0.1:${port}`
  await set(network(url))
  await state((status) => status === 'synced')
  const expected = `Basic ${btoa('maren:wind@sea')}`
  expect(asked[0]).toBe(expected)
  expect(folderText(bench.directory)).not.toContain('wind%40sea')
  const { directory } = bench
  await bench.close()
  asked.length = 0
  bench = await openBench({ directory, clock: manualClock() })
  await state((status) => status === 'synced')
  expect(asked[0]).toBe(expected)
  // The setting still has the credentials, so that the person can change it; the proxy that is shown has none.
  expect(await bench.bridge.call('read-network', { accountId: bench.accountId })).toMatchObject({
    network: network(url),
    presentProxy: `http://127.0.0.1:${port}`,
  })
  await set(network(`http://127.0.0.1:${port}`))
  expect(await bench.bridge.call('read-network', { accountId: bench.accountId })).toMatchObject({
    network: network(`http://127.0.0.1:${port}`),
  })
})

test('a password that an earlier version left in the list of accounts goes into the keychain', async () => {
  const { directory, accountId } = bench
  await bench.close()
  const proxy = await startProxy()
  const url = proxy.url.replace('//', '//maren:wind%40sea@')
  const list = await openAccountsStore(directory, () => {})
  list.setNetwork(accountId, network(url))
  list.close()
  expect(folderText(directory)).toContain('wind%40sea')
  bench = await openBench({ directory, clock: manualClock() })
  await state((status) => status === 'synced')
  expect(proxy.seen.length).toBeGreaterThan(0)
  expect(folderText(directory)).not.toContain('wind%40sea')
  expect(await bench.bridge.call('read-network', { accountId })).toMatchObject({ network: network(url) })
})

test('the proxy of the system is followed from one request to the next, and can be declined', async () => {
  await state((status) => status === 'synced')
  const proxy = await startProxy()
  systemProxy.url = proxy.url
  await bench.bridge.call('try-now', { accountId: bench.accountId })
  await expect.poll(() => proxy.seen.length).toBeGreaterThan(0)
  await set({ ...usualNetwork, proxy: { kind: 'none' } })
  const before = proxy.seen.length
  await state((status) => status === 'synced')
  expect(proxy.seen).toHaveLength(before)
})

test('a proxy that is not there, or wants a password, is named in the reason', async () => {
  const gone = await startProxy()
  gone.server.close()
  gone.server.closeAllConnections()
  await set(network(gone.url))
  const offline = await state((status) => status === 'offline')
  expect(offline.problem).toContain(`Neither the proxy ${new URL(gone.url).host}`)
  // At a sign-in, nothing is queued; while syncing, the window says it itself.
  expect(offline.problem).not.toContain('queued')
  const closed = createServer((_from, to) => to.writeHead(407).end())
  await set(network(`http://127.0.0.1:${await listening(closed)}`))
  await bench.until('sync-state', { accountId: bench.accountId }, ({ problem }) =>
    String(problem).includes('asks for a name and password'),
  )
  await set(usualNetwork)
  await state((status) => status === 'synced')
})

test('a server under an authority of its own is refused until the person trusts that one', async () => {
  const front = createTlsServer(good, passOn([]))
  const baseUrl = `https://127.0.0.1:${await listening(front)}/api/v1`
  const credentials = { kind: 'api-key', ...maren } as const
  const refusal = await failureFrom(bench.bridge.call('sign-in', { baseUrl, credentials }))
  expect(refusal.message).toContain('doesn’t know who signed its certificate')
  expect(refusal.message).toContain('in the network settings')
  const trusting: AccountNetwork = { ...usualNetwork, certificates: authority }
  const found = await bench.bridge.call('find-organization', { address: baseUrl, network: trusting })
  expect(found.baseUrl).toBe(baseUrl)
  const { accountId } = await bench.bridge.call('sign-in', { baseUrl, credentials, network: trusting })
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  expect(await bench.bridge.call('read-network', { accountId })).toMatchObject({
    authorities: ['Dunlin test authority'],
  })
})

test.each([
  ['a private key', { ...usualNetwork, certificates: good.key }, 'private key'],
  ['a file without certificates', { ...usualNetwork, certificates: 'hello' }, 'no certificate in this file'],
  [
    'a broken certificate',
    { ...usualNetwork, certificates: authority.replace('MIIB', 'AAAA') },
    'Certificate 1 in this file can’t be read',
  ],
  ['no address', network('proxy'), 'Not a proxy address'],
  ['an address of something else', network('ftp://files.example.org'), 'Not a proxy address'],
])('%s is refused with words, and nothing changes', async (_what, given, words) => {
  expect((await failureFrom(set(given))).message).toContain(words)
  expect(await bench.bridge.call('read-network', { accountId: bench.accountId })).toMatchObject({
    network: usualNetwork,
  })
})

test('the environment is read as command-line programs read it', () => {
  const chat = 'https://chat.example.org/api/v1'
  const find = (environment: Record<string, string>, url = chat) => proxyFromEnvironment(environment, url)
  expect(find({})).toBe(null)
  expect(find({ https_proxy: 'http://p:1', http_proxy: 'http://q:2' })).toBe('http://p:1')
  expect(find({ HTTPS_PROXY: 'p:1' })).toBe('http://p:1')
  expect(find({ http_proxy: 'http://q:2' })).toBe(null)
  expect(find({ http_proxy: 'http://q:2' }, 'http://chat.example.org')).toBe('http://q:2')
  expect(find({ ALL_PROXY: 'socks5://s:3' })).toBe('socks5://s:3')
  for (const spared of ['*', 'example.org', '.example.org', '*.example.org', 'other, chat.example.org'])
    expect(find({ https_proxy: 'http://p:1', no_proxy: spared })).toBe(null)
  expect(find({ https_proxy: 'http://p:1', no_proxy: 'ample.org,chat.example.org:8443' })).toBe('http://p:1')
  expect(find({ https_proxy: 'http://p:1' }, 'https://127.0.0.1:9/')).toBe(null)
  for (const abroad of ['127.example.org', 'localhost.example.org'])
    expect(find({ https_proxy: 'http://p:1' }, `https://${abroad}/`)).toBe('http://p:1')
  expect(find({ https_proxy: 'http://' })).toBe(null)
})

test.each([
  ['localhost:8080', 'http://localhost:8080/api/v1'],
  ['LocalHost/', 'http://localhost/api/v1'],
  ['127.0.0.1:9', 'http://127.0.0.1:9/api/v1'],
  ['[::1]:9/chat', 'http://[::1]:9/chat/api/v1'],
  ['http://chat.example.org', 'http://chat.example.org/api/v1'],
  ['localhost.example.org', 'https://localhost.example.org/api/v1'],
  ['localhostings.example', 'https://localhostings.example/api/v1'],
  ['127.example.org', 'https://127.example.org/api/v1'],
  ['[::1234]', 'https://[::1234]/api/v1'],
])('the address %s is reached unencrypted only on this machine, or if it says so', async (typed, meant) => {
  const asked: string[] = []
  const networkAt = (url: string): never => {
    asked.push(url)
    throw new Error('not today')
  }
  await expect(findOrganization(typed, 'Dunlin', networkAt)).rejects.toThrow('not today')
  expect(asked).toEqual([meant])
})

test('the answer of Chromium is read as it is meant', () => {
  expect(proxyFromRules('DIRECT')).toBe(null)
  expect(proxyFromRules('PROXY p.example.org:3128; DIRECT')).toBe('http://p.example.org:3128')
  expect(proxyFromRules('HTTPS p.example.org:443')).toBe('https://p.example.org:443')
  expect(proxyFromRules('SOCKS5 s.example.org:1080')).toBe('socks5://s.example.org:1080')
  expect(proxyFromRules('QUIC x:1; PROXY p:1')).toBe('http://p:1')
  expect(proxyFromRules('')).toBe(null)
})
