// npm run bench -- [--messages N] [--rounds N] [--only engine|service|renderer] [--parts live,posting] [--write]:
// measures and prints. --parts selects parts of the service or the renderer. --peers installs libraries that store
// messages or call the service too (in bench/peers, some 150 MB), for the engine's part, which then takes some
// minutes longer.
// --write puts the tables into docs/, each part separately.
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

Each line stands beside the least that the same work needs on the same machine: contenders take turns within one run,
and the last column is the ratio of their medians. Times of different runs are not to be compared.
`
// Read before the benchmark itself adds to it.
const busy = loadavg()[0] ?? 0
const list = (facts: readonly string[]) => facts.map((fact) => `- ${fact}`).join('\n')
const measuredBy = (part: string) =>
  `\`npm run bench -- --only ${part} --messages ${messages} --rounds ${rounds}${values.peers ? ' --peers' : ''} --write\` on ${machine}` +
  (busy < 1.5 ? '.' : `; about ${Math.round(busy)} other programs were at work on it.`)

// The last one is written by hand.
const names = ['engine', 'service', 'renderer', 'not compared']
const isWanted = (name: string) => values.only === '' || values.only === name
const wantedOf = (all: readonly string[]) => (values.parts === '' ? all : values.parts.split(','))
/** The parts of the page by name; parts that are not measured now stay as they are. */
const parts = new Map(
  readFileSync(page, 'utf8')
    .split(/^(?=## )/m)
    .slice(1)
    .map((part) => [names.find((name) => part.toLowerCase().startsWith(`## ${name}`)) ?? '', part.trimEnd()]),
)
if (isWanted('engine')) {
  // Its peers are loaded only when they are measured.
  const { engineLines } = await import('./engine.ts')
  const { hasPeers, installPeers } = await import('./engine-peers.ts')
  if (values.peers && !hasPeers()) {
    try {
      installPeers()
    } catch (error) {
      // The registry may be unreachable; the rest is measured anyway.
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
