import { spawn } from 'node:child_process'

// Runs scripts of package.json at the same time, where one after another leaves cores idle. What each says comes in one
// piece when it is done; fails when any does.

const run = (script: string): Promise<boolean> =>
  new Promise((done) => {
    const child = spawn('npm', ['run', '--silent', script], { shell: process.platform === 'win32' })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)))
    child.on('close', (code) => {
      console.log(`${script}: ${code === 0 ? 'passed' : 'failed'}\n${said}`.trim())
      done(code === 0)
    })
  })

const passed = await Promise.all(process.argv.slice(2).map(run))
if (passed.includes(false)) process.exitCode = 1
