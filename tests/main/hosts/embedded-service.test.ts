import { spawn, type ChildProcess } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { EmbeddedService, type LaunchService } from '../../../src-main/hosts/embedded-service.ts'

const children: ChildProcess[] = []

/** Launches real processes that run these lines of script, one after the other. */
function launching(...scripts: readonly string[]): LaunchService {
  const left = [...scripts]
  return () => {
    const child = spawn(process.execPath, ['-e', left.shift() ?? ''], { stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    return {
      stdout: child.stdout,
      stderr: child.stderr,
      onceExit: (listener) => child.once('exit', listener),
      kill: () => void child.kill(),
    }
  }
}

const startLine = (port: number) =>
  JSON.stringify({
    base_url: `http://127.0.0.1:${port}/api/v1`,
    accounts: [{ email: 'maren@example.org', api_key: 'key' }],
  })
const listening = (port: number) =>
  `console.log(${JSON.stringify(startLine(port))}); setInterval(() => {}, 1e6)`
const hanging = 'setInterval(() => {}, 1e6)'
const over = (child: ChildProcess | undefined) => child?.exitCode !== null || child.signalCode !== null

let service: EmbeddedService | null = null
const serviceOver = (launch: LaunchService, startMs?: number) =>
  (service = new EmbeddedService({
    ...{ dataDirectory: '/nowhere', mode: 'quiet', launch, log: () => {} },
    ...(startMs === undefined ? {} : { startMs }),
  }))

afterEach(() => {
  service?.stop()
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

test('the embedded service is started once, however often it is asked for', async () => {
  const own = serviceOver(launching(listening(1), listening(2)))
  const [one, other] = await Promise.all([own.start(), own.start()])
  expect(one.baseUrl).toBe('http://127.0.0.1:1/api/v1')
  expect(other).toBe(one)
  expect(children).toHaveLength(1)
})

test('an embedded service that ended is started again', async () => {
  const own = serviceOver(launching(listening(1), listening(2)))
  await own.start()
  children[0]?.kill('SIGKILL')
  await expect.poll(async () => (await own.start()).baseUrl).toBe('http://127.0.0.1:2/api/v1')
})

test('an embedded service that does not come up in time is ended before another is started', async () => {
  const own = serviceOver(launching(hanging, listening(2)), 3_000)
  await expect(own.start()).rejects.toThrow()
  await expect.poll(() => over(children[0])).toBe(true)
  expect((await own.start()).baseUrl).toBe('http://127.0.0.1:2/api/v1')
})

test('a process that says something else than its address is ended', async () => {
  const own = serviceOver(launching(`console.log('hello'); ${hanging}`))
  await expect(own.start()).rejects.toThrow()
  await expect.poll(() => over(children[0])).toBe(true)
})
