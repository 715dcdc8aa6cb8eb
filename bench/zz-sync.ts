import Sqlite from 'better-sqlite3'
import { PerformanceObserver, monitorEventLoopDelay } from 'node:perf_hooks'
import { firstSync } from './first-sync.ts'
import { WriteStream } from 'node:fs'
const t0 = performance.now()
const out: string[] = []
const note = (s: string) => out.push(`${(performance.now() - t0).toFixed(0)} ${s}`)
new PerformanceObserver((list) => {
  for (const e of list.getEntries()) if (e.duration > 4) out.push(`${(e.startTime - t0).toFixed(0)} gc kind=${(e as any).detail?.kind} ${e.duration.toFixed(1)}ms`)
}).observe({ entryTypes: ['gc'] })
const probe = new Sqlite(':memory:')
const proto = Object.getPrototypeOf(probe.prepare('SELECT 1'))
for (const name of ['run', 'all', 'get'] as const) {
  const was = proto[name]
  proto[name] = function (this: any, ...a: unknown[]) {
    const s = performance.now()
    try { return was.apply(this, a) } finally {
      const took = performance.now() - s
      if (took > 5) note(`${name} ${took.toFixed(1)}ms ${String(this.source).replace(/\s+/g, ' ').slice(0, 100)}`)
    }
  }
}
const parse = JSON.parse
JSON.parse = function (text: string, ...rest: any[]) { const s = performance.now(); try { return parse(text, ...rest) } finally { const took = performance.now() - s; if (took > 4) note(`JSON.parse ${took.toFixed(1)} ms of ${text.length}`) } }
let last = performance.now()
const tick = () => { const now = performance.now(); if (now - last > 12) note(`TURN ${(now - last).toFixed(1)}ms`); last = now; setTimeout(tick, 1) }
setTimeout(tick, 1)
console.log(await firstSync(Number(process.argv[2] ?? 100000), (l) => { console.log(l) }))
const from = out.findIndex((l) => l.includes('registration')) 
console.log(out.join('\n'))
process.exit()
