import { Worker } from 'node:worker_threads'
import { compare, quantile, type Line } from './measure.ts'
import { bare, type Bench } from './service-http.ts'

const clients = 50
const postingMs = 2_000

/** What an answer waits for: the disk, as in an organization; or only safety from a kill, as in the demo. */
const durabilities = [
  ['on disk when it is answered', 'FULL'],
  ['safe from a kill when it is answered', 'NORMAL'],
] as const

/** Clients that post as fast as they are answered, to a channel of ten, compared with one insert per post. */
export async function posting(
  bench: Bench,
  rounds: number,
  facts: string[],
  say: (line: string) => void,
): Promise<Line[]> {
  const { db, url, filled } = bench
  const [who] = filled.people
  if (who === undefined) return []
  db.run('CREATE TABLE bare_posts (id INTEGER PRIMARY KEY, content TEXT)')
  const floor = await bare((_path, body) => {
    const { lastId } = db.run('INSERT INTO bare_posts (content) VALUES (?)', body)
    return { id: lastId }
  })
  const authorization = `Basic ${Buffer.from(`${who.email}:${who.apiKey}`).toString('base64')}`
  const body = new URLSearchParams({
    type: 'stream',
    to: String(filled.smallChannelId),
    topic: 'sustained',
    content: 'One of many short messages, with *some* Markdown.',
  }).toString()
  const lines: Line[] = []
  for (const [promise, synchronous] of durabilities) {
    say(`posting, ${promise}`)
    db.run(`PRAGMA synchronous = ${synchronous}`)
    const rates: Record<string, number[]> = {}
    const contender = (name: string, target: string, headers: Record<string, string>) => ({
      name,
      async run() {
        const { perSecond, times } = await load({ url: target, headers, body })
        ;(rates[name] ??= []).push(perSecond)
        return times
      },
    })
    const contenders = [
      contender('bare server, one insert', `${floor.url}/`, {}),
      contender('Dunlin', `${url}/api/v1/messages`, { authorization }),
    ]
    lines.push(...(await compare(`posting by ${clients} clients at once, ${promise}`, rounds, contenders)))
    const [least = 0, own = 0] = contenders.map(({ name }) => median(rates[name] ?? []))
    facts.push(
      `${clients} clients post ${Math.round(own).toLocaleString('en')} messages a second, each ${promise}; a bare ` +
        `server with one insert takes ${Math.round(least).toLocaleString('en')}: ${(own / least).toFixed(2)} of it.`,
    )
  }
  await floor.close()
  return lines
}

const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  )

/** Posts as fast as answers arrive, from another thread. */
function load(options: { url: string; headers: Record<string, string>; body: string }): Promise<{
  perSecond: number
  times: number[]
}> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./load.ts', import.meta.url), {
      workerData: { ...options, clients, durationMs: postingMs },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
