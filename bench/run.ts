// npm run bench -- [--messages N] [--rounds N] [--only engine|service|renderer] [--parts live,posting] [--peers]
// [--write] Measures and prints the results. --parts selects parts of the service or the renderer. --peers also
// measures other libraries that store messages or call the service, in the engine's part. It installs them in
// bench/peers (about 150 MB) and takes some minutes longer. --write updates docs/benchmarks.md; parts that were not
// measured stay as they are.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from './measure.ts'
import { rendererLines, rendererParts } from './renderer.ts'
import { isServicePart, serviceLines, serviceParts } from './service.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    parts: { type: 'string', default: '' },
    peers: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const messages = Number(values.messages)
const rounds = Number(values.rounds)
const say = (line: string) => process.stderr.write(`${line}\n`)
const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
const page = join(import.meta.dirname, '../docs/benchmarks.md')
const opening = `# Benchmarks

Each measurement is compared with the minimum cost of the same work on the same machine, the "floor": hand-written code
that does only what is necessary. All candidates run alternately within one run, and the last column is the ratio of a
candidate's median to the floor's. Do not compare times of different runs.
`
// Read at the start, because the benchmark itself raises the load.
const load = loadavg()[0] ?? 0
const list = (facts: readonly string[]) => facts.map((fact) => `- ${fact}`).join('\n')
const measuredBy = (part: string) =>
  `\`npm run bench -- --only ${part} --messages ${messages} --rounds ${rounds}${values.peers ? ' --peers' : ''} --write\` on ${machine}` +
  (load < 1.5 ? '.' : `; the load average at the start was ${load.toFixed(1)}.`)

// The sections of the page in order. The last one is written by hand.
const names = ['engine', 'service', 'renderer', 'notes']
const isWanted = (name: string) => values.only === '' || values.only === name
const wantedOf = (all: readonly string[]) => (values.parts === '' ? all : values.parts.split(','))
/** The sections of the page by name. Those that are not measured now stay as they are. */
const parts = new Map(
  readFileSync(page, 'utf8')
    .split(/^(?=## )/m)
    .slice(1)
    .map((part) => [names.find((name) => part.toLowerCase().startsWith(`## ${name}`)) ?? '', part.trimEnd()]),
)
if (isWanted('engine')) {
  // Imported only here, because loading the peers takes long.
  const { engineLines } = await import('./engine.ts')
  const { hasPeers, installPeers } = await import('./engine-peers.ts')
  if (values.peers && !hasPeers()) {
    try {
      installPeers()
    } catch (error) {
      // The registry may be unreachable; everything else is still measured.
      say(`bench/peers could not be installed: ${String(error)}`)
    }
  }
  const { lines, facts } = await engineLines(messages, rounds, values.peers, say)
  const title = `## Engine, an account of ${messages.toLocaleString('en')} messages`
  parts.set('engine', `${title}\n\n${measuredBy('engine')}\n\n${table(lines)}\n\n${list(facts)}`)
}
if (isWanted('service')) {
  const { lines, facts } = await serviceLines(
    messages,
    rounds,
    wantedOf(serviceParts).filter(isServicePart),
    say,
  )
  const title = `## Service, an organization of ${messages.toLocaleString('en')} messages`
  parts.set('service', `${title}\n\n${measuredBy('service')}\n\n${table(lines)}\n\n${list(facts)}`)
}
if (isWanted('renderer')) {
  const { lines, facts } = await rendererLines(messages, rounds, wantedOf(rendererParts), say)
  const title = `## Renderer, an account of ${messages.toLocaleString('en')} messages`
  parts.set('renderer', `${title}\n\n${measuredBy('renderer')}\n\n${table(lines)}\n\n${list(facts)}`)
}
const text = `${opening}\n${names.flatMap((part) => parts.get(part) ?? []).join('\n\n')}`.trimEnd() + '\n'
process.stdout.write(text)
if (values.write) writeFileSync(page, text)
