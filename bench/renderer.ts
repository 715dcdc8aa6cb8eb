// What a person waits for in a window, in a real Chromium over a real account, compared with its minimum cost.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Line } from './measure.ts'
import { copyAccount } from './renderer-account.ts'
import { buildPages } from './renderer-build.ts'
import { heldMemory } from './renderer-memory.ts'
import { sanitizing } from './renderer-sanitizing.ts'
import { scrolling } from './renderer-scrolling.ts'
import { arrivals } from './renderer-sidebar.ts'
import { scriptOfFirstPaint, starts } from './renderer-start.ts'
import { switching } from './renderer-switching.ts'
import { typing } from './renderer-typing.ts'
import { startHost, type Host } from './renderer-window.ts'

/** The input of a part of the benchmark, and its output. */
export interface Stage {
  readonly host: Host
  /** Folders of the built app and of the pages beside it. */
  readonly app: string
  readonly floor: string
  readonly messages: number
  readonly rounds: number
}
export interface Measured {
  readonly lines: readonly Line[]
  readonly facts: readonly string[]
}

const measures = { starts, scriptOfFirstPaint, switching, typing, scrolling, sanitizing, heldMemory }
export const rendererParts = [...Object.keys(measures), 'arrivals']

/** Runs the named parts over an account of that many messages. */
export async function rendererLines(
  messages: number,
  rounds: number,
  parts: readonly string[],
  say: (line: string) => void,
): Promise<{ lines: Line[]; facts: string[] }> {
  const directory = mkdtempSync(join(tmpdir(), 'dunlin-bench-'))
  const lines: Line[] = []
  const facts: string[] = []
  const add = (measured: Measured) => {
    lines.push(...measured.lines)
    facts.push(...measured.facts)
    for (const { what, contender, medianMs, p99Ms, ratio } of measured.lines)
      say(`${what}: ${contender} ${medianMs.toFixed(2)} ms, ${p99Ms.toFixed(2)} ms, ${ratio.toFixed(2)}`)
    for (const fact of measured.facts) say(fact)
  }
  try {
    const pages = await buildPages(directory)
    const data = join(directory, 'data')
    copyAccount(messages, data, say)
    const stage = { ...pages, messages, rounds }
    const offline = await startHost(data, 'offline')
    for (const [name, measure] of Object.entries(measures))
      if (parts.includes(name)) add(await measure({ ...stage, host: offline }))
    await offline.close()
    if (parts.includes('arrivals')) {
      const live = await startHost(data, 'live')
      add(await arrivals({ ...stage, host: live }))
      await live.close()
    }
    return { lines, facts }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
