import { expect, test } from 'vitest'
import { readFlags as readAppFlags } from '../../src-main/hosts/flags.ts'
import { readFlags } from '../../src-server/flags.ts'
import { runCommand } from '../support/service-process.ts'

// Command-line flags: whoever mistypes one is told which.

test('the service says which flag is wrong, and how it is used', async () => {
  const wrong = await runCommand(['--data-dir', 'never-made', '--port', '70000'])
  expect(wrong).toEqual({ status: 2, said: expect.stringMatching(/^--port must be 0 to 65535\.\n\nUsage: /) })
})

test('with --help the service says how it is used, and that is no failure', async () => {
  expect(await runCommand(['--help'])).toEqual({ status: 0, said: expect.stringMatching(/^Usage: /) })
})

test('every flag of the service that cannot be is named', () => {
  const inFolder = (...more: string[]) => readFlags(['--data-dir', 'never-made', ...more])
  expect(inFolder('--demo')).toMatchObject({ dataDir: 'never-made', demo: 'lively', port: 0 })
  expect(() => readFlags([])).toThrow('--data-dir')
  for (const [flag, value] of [
    ['--port', 'x'],
    ['--demo', 'loud'],
    ['--feature-level', '421'],
    ['--invitation-validity-minutes', '0'],
    ['--max-upload-mib', '0'],
    ['--upload-quota-mib', '-1'],
  ])
    expect(() => inFolder(`${flag}=${value}`)).toThrow(flag)
  expect(() => inFolder('--verbose')).toThrow('--verbose')
})

test('so is every flag of the app, unless it is for somebody else', () => {
  for (const [flag, value] of [
    ['--port', '65536'],
    ['--demo', 'loud'],
    ['--host', 'terminal'],
  ])
    expect(() => readAppFlags([`${flag}=${value}`], { passesOver: true })).toThrow(flag)
  expect(() => readAppFlags(['--inspect'], { passesOver: false })).toThrow('--inspect')
  expect(readAppFlags(['--inspect', '--hidden'], { passesOver: true })).toMatchObject({ isHidden: true })
  expect(readAppFlags(['--help'], { passesOver: false })).toBeNull()
})
