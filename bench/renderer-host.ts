// The app on the web host, in a separate process, over an account that `copyAccount` created; see `startHost`. With
// `live`, only what the benchmark triggers happens on its server.
import { createEngine } from '../src-main/engine/engine.ts'
import { EmbeddedService, forkService } from '../src-main/hosts/embedded-service.ts'
import { prerender } from '../src-main/hosts/first-page.ts'
import { startWebHost, type WebHost } from '../src-main/hosts/web/http.ts'
import { webPlatform } from '../src-main/hosts/web/platform.ts'
import { startScriptedServer, type Reply, type ScriptedServer } from '../tests/fakes/scripted-server.ts'
import { benchQueue, setServer } from './renderer-account.ts'

/** The benchmark's requests to the process. */
export type HostRequest =
  /** A start address of a built page, which works once. */
  | { readonly kind: 'window'; readonly directory: string }
  /** A person sends a message. */
  | { readonly kind: 'message'; readonly id: number; readonly channelId: number; readonly topic: string }

const [, , dataDirectory = '', mode = ''] = process.argv
const log = () => {}
const events: { readonly id: number; readonly [field: string]: unknown }[] = []
let wake = () => {}

async function startServer(): Promise<ScriptedServer> {
  const server = await startScriptedServer()
  server.answer('GET /events', async ({ fields }): Promise<Reply> => {
    const pending = () => events.filter(({ id }) => id > Number(fields['last_event_id']))
    if (pending().length === 0 && fields['dont_block'] !== 'true')
      await new Promise<void>((resolve) => (wake = resolve))
    return { success: { events: pending(), queue_id: benchQueue } }
  })
  return server
}

const server = mode === 'live' ? await startServer() : null
await setServer(dataDirectory, server?.baseUrl)
const service = new EmbeddedService({ dataDirectory, mode: 'quiet', launch: forkService, log })
const engine = await createEngine(webPlatform({ dataDirectory, service, log, opensLinks: false }))
let host: WebHost | null = null

process.on('message', (request: HostRequest) => void answer(request))
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function answer(request: HostRequest): Promise<void> {
  if (request.kind === 'window') {
    const before = host
    host = await startWebHost({ engine, rendererDirectory: request.directory, port: 0, log })
    process.send?.(host.startUrl)
    // As at a start, while the window is being created.
    prerender(engine, request.directory, log)
    await before?.close()
    return
  }
  const { id, channelId, topic } = request
  events.push({
    id: events.length,
    ...{ type: 'message', flags: [] },
    message: {
      ...{
        id,
        type: 'stream',
        stream_id: channelId,
        subject: topic,
        display_recipient: `channel ${channelId}`,
      },
      ...{ sender_id: 7, sender_email: 'p7@example.org', sender_full_name: 'Person 7', flags: [] },
      ...{ content: `<p>message ${id}</p>`, timestamp: Math.floor(Date.now() / 1_000) },
    },
  })
  wake()
  process.send?.('said')
}
