import { Session } from 'node:inspector'
import { writeFileSync } from 'node:fs'
import { firstSync } from './first-sync.ts'
const session = new Session(); session.connect()
session.post('Profiler.enable'); session.post('Profiler.setSamplingInterval', { interval: 200 })
session.post('Profiler.start')
const turns: [number, number][] = []
const hr = () => Number(process.hrtime.bigint() / 1000n)
let last = hr()
const tick = () => { const now = hr(); if (now - last > 10000) turns.push([last, now]); last = now; setTimeout(tick, 1) }
setTimeout(tick, 1)
setTimeout(() => session.post('Profiler.stop', (_e, r: any) => {
  const p = r.profile
  const nodes = new Map(p.nodes.map((n: any) => [n.id, n])); const parent = new Map<number, number>()
  for (const n of p.nodes) for (const c of n.children ?? []) parent.set(c, n.id)
  const name = (n: any) => `${n.callFrame.functionName || '(anon)'} ${n.callFrame.url.split('/').slice(-2).join('/')}:${n.callFrame.lineNumber + 1}`
  let at = p.startTime
  const stamps = p.timeDeltas.map((d: number) => (at += d))
  for (const [a, b] of turns) {
    const incl = new Map<string, number>()
    const self = new Map<string, number>()
    p.samples.forEach((id: number, i: number) => {
      if (stamps[i] < a || stamps[i] > b) return
      const dt = (p.timeDeltas[i + 1] ?? 0) / 1000
      const seen = new Set<string>()
      self.set(name(nodes.get(id)), (self.get(name(nodes.get(id))) ?? 0) + dt)
      for (let n: number | undefined = id; n !== undefined; n = parent.get(n)) { const s = name(nodes.get(n)); if (seen.has(s)) continue; seen.add(s); incl.set(s, (incl.get(s) ?? 0) + dt) }
    })
    console.log(`TURN at ${((a - p.startTime) / 1000).toFixed(0)}: ${((b - a) / 1000).toFixed(1)} ms`)
    for (const [k, v] of [...incl].sort((x, y) => y[1] - x[1]).filter((e) => e[1] > 1.5).slice(0, 40)) console.log(`   ${v.toFixed(1)} ${k}`)
    console.log('   self: ' + [...self].sort((x, y) => y[1] - x[1]).slice(0, 8).map(([k, v]) => `${v.toFixed(1)} ${k}`).join(' | '))
  }
  process.exit()
}), Number(process.argv[3] ?? 7000))
console.log(await firstSync(Number(process.argv[2] ?? 100000), (l) => { console.log(l) }))
