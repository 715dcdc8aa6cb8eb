// npm run bench -- [--messages N] [--rounds N] [--write]: measures and prints; --write puts the tables into docs/.
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { engineLines } from './engine.ts'
import { table } from './measure.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
})
const messages = Number(values.messages)
const rounds = Number(values.rounds)
const lines = await engineLines(messages, rounds, (line) => process.stderr.write(`${line}\n`))
const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
const text = `# Benchmarks

\`npm run bench -- --messages ${messages} --rounds ${rounds} --write\` on ${machine}.

Each line stands beside the least that the same work needs on the same machine: contenders take turns within one run,
and the last column is the ratio of their medians. Times of different runs are not to be compared.

## Engine, an account of ${messages.toLocaleString('en')} messages

${table(lines)}
`
process.stdout.write(text)
if (values.write) writeFileSync(join(import.meta.dirname, '../docs/benchmarks.md'), text)
