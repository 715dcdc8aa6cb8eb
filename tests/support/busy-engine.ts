import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { channelId } from '../../src-shared/ids.ts'
import { connectBridge } from '../../src-shared/bridge/connect.ts'
import { serveBridge } from '../../src-shared/bridge/serve.ts'
import { createEngine } from '../../src-main/engine/engine.ts'
import { portPair } from './device.ts'
import { secretsInMemory, testPlatform } from './platform.ts'

// A separate process: one engine on a folder, and a person who writes without a pause. Each line on standard output
// names words that the engine has reported as being on disk. It ends only with a signal.

const [directory = '', baseUrl = '', email = '', apiKey = '', channel = '', run = '', mode = ''] =
  process.argv.slice(2)

const engine = await createEngine(
  testPlatform(directory, {
    log: () => {},
    secrets: { ...secretsInMemory(), get: () => Promise.resolve(apiKey) },
  }),
)
const [window, host] = portPair()
serveBridge(host, engine, () => {})
const bridge = connectBridge(window)
const { accountId } = await bridge.call('sign-in', {
  baseUrl,
  credentials: { kind: 'api-key', email, apiKey },
})
console.log('ready')
// A killed process does not write what it has compiled, and each that follows would compile it again.
flushCompileCache()

const say = (kind: 'sent' | 'typed', text: string) => console.log(`${kind} ${text}`)

/** Sends to two topics in turn. */
async function send(): Promise<void> {
  for (let count = 0; ; count++) {
    const topic = count % 2 === 0 ? 'drift' : 'rope'
    const content = `${topic}-${run}-${count}`
    await bridge.call('act', {
      accountId,
      action: {
        name: 'send-message',
        conversation: { kind: 'topic', channelId: channelId(Number(channel)), topic },
        content,
        draftId: null,
      },
    })
    say('sent', content)
    await sleep(Math.random() * 8)
  }
}

/** Types one draft, word by word, and leaves it from time to time. */
async function type(): Promise<void> {
  let draftId: string | null = null
  let content = ''
  for (let count = 0; ; count++) {
    const word = `word-${run}-${count}`
    content = `${content} ${word}`.trim()
    const draft = { recipient: null, content }
    const saved: { draftId: string; content: string } = await bridge.call('save-draft', {
      accountId,
      draftId,
      draft,
    })
    draftId = saved.draftId
    content = saved.content
    say('typed', word)
    if (count % 20 === 19) {
      await bridge.call('leave-draft', { accountId, draftId })
      draftId = null
      content = ''
    }
    await sleep(Math.random() * 8)
  }
}

if (mode === 'write') await Promise.all([send(), type()])
else await sleep(600_000)
