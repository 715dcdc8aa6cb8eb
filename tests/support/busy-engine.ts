import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActionInput } from '../../src-shared/bridge/actions.ts'
import { connectBridge } from '../../src-shared/bridge/connect.ts'
import { serveBridge } from '../../src-shared/bridge/serve.ts'
import { linkToFile } from '../../src-shared/model/outgoing-file.ts'
import { createEngine } from '../../src-main/engine/engine.ts'
import { portPair } from './device.ts'
import { secretsInMemory, testPlatform } from './platform.ts'

// A separate process: one engine on a folder, and a person who writes without a pause. Each line on standard output
// names words that the engine has reported as being on disk. It ends only with a signal.

const [directory = '', baseUrl = '', email = '', apiKey = '', channel = '', run = '', mode = '', old = ''] =
  process.argv.slice(2)
/** Own messages, and somebody else's, that no earlier run has touched. */
const { own = [], heard = [] } = JSON.parse(old || '{}') as Partial<Record<'own' | 'heard', number[]>>

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

const say = (kind: 'acted' | 'typed', text: string) => console.log(`${kind} ${text}`)

/** Does something, and reports its words once it is on disk. */
async function act(words: string, action: ActionInput): Promise<void> {
  await bridge.call('act', { accountId, action })
  say('acted', words)
  await sleep(Math.random() * 8)
}

const conversation = (topic: string) => ({ kind: 'topic', channelId: Number(channel), topic }) as const
const inAYear = Date.now() + 365 * 24 * 3_600_000

/** Sends to two topics in turn. */
async function send(): Promise<void> {
  for (let count = 0; ; count++) {
    const topic = count % 2 === 0 ? 'drift' : 'rope'
    const content = `${topic}-${run}-${count}`
    await act(content, {
      name: 'send-message',
      conversation: conversation(topic),
      content,
      draftId: null,
    })
  }
}

/** Attaches a file to each message. */
async function attach(): Promise<void> {
  for (let count = 0; ; count++) {
    const words = `attached-${run}-${count}`
    const bytes = Buffer.from(words)
    const file = { accountId, name: `${words}.txt`, mediaType: 'text/plain', size: bytes.length }
    const { fileId } = await bridge.call('begin-file', file)
    await bridge.call('put-file-part', { accountId, fileId, bytes: bytes.toString('base64') })
    const content = `${words} [${file.name}](${linkToFile(fileId)})`
    await act(words, {
      name: 'send-message',
      conversation: conversation('files'),
      content,
      draftId: null,
    })
    await sleep(40)
  }
}

async function edit(): Promise<void> {
  for (const messageId of own) {
    const content = `edited-${messageId}`
    await act(content, { name: 'edit-message', messageId, content, previousContent: null })
  }
}

async function mark(): Promise<void> {
  for (const messageId of heard) {
    await act(`${messageId}`, { name: 'star-message', messageIds: [messageId], on: true })
    const note = `reminded-${messageId}`
    await act(note, { name: 'remind-me', messageId, at: inAYear, note })
  }
}

async function schedule(): Promise<void> {
  for (let count = 0; count < 5; count++) {
    const content = `later-${run}-${count}`
    await act(content, {
      name: 'schedule-message',
      conversation: conversation('drift'),
      content,
      draftId: null,
      sendAt: inAYear + count * 60_000,
    })
  }
}

/** Types a draft, word by word, and leaves it from time to time; every other one is addressed. */
async function type(): Promise<void> {
  let draftId: string | null = null
  let content = ''
  for (let count = 0; ; count++) {
    const word = `word-${run}-${count}`
    content = `${content} ${word}`.trim()
    const recipient = Math.floor(count / 20) % 2 === 0 ? conversation('drift') : null
    const draft = { recipient, content }
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

if (mode === 'write') await Promise.all([send(), attach(), edit(), mark(), schedule(), type()])
else await sleep(600_000)
