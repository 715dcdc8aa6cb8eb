import { spawn } from 'node:child_process'

// Runs scripts of package.json at the same time, where one after another leaves cores idle. What the last one says comes
// as it says it, what each of the others says in one piece when it is done. Fails when any does, and says which.

const scripts = process.argv.slice(2)

const run = (script: string): Promise<boolean> =>
  new Promise((done) => {
    const isLast = script === scripts.at(-1)
    const child = spawn('npm', ['run', '--silent', script], {
      shell: process.platform === 'win32',
      stdio: isLast ? 'inherit' : ['inherit', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (said += String(part)))
    child.on('close', (code) => {
      console.log(`${script}: ${code === 0 ? 'passed' : 'failed'}\n${said}`.trim())
      done(code === 0)
    })
  })

const passed = await Promise.all(scripts.map(run))
const failed = scripts.filter((_script, index) => passed[index] === false)
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`)
  process.exitCode = 1
}
