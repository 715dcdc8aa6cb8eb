import { expect, test } from 'vitest'
import { withoutControls } from '../../../src-main/hosts/log.ts'

test('what a server says cannot control the terminal', () => {
  expect(withoutControls('gone: \u001b]0;title\u0007\u001b[2J\u009b1m\r\b\0\u007f')).toBe(
    'gone: \uFFFD]0;title\uFFFD\uFFFD[2J\uFFFD1m\uFFFD\uFFFD\uFFFD\uFFFD',
  )
  expect(withoutControls('Error: no\n\tat line 1 – “ü”')).toBe('Error: no\n\tat line 1 – “ü”')
})

test('a terminal that was closed is no reason to end', () => {
  for (const stream of [process.stdout, process.stderr]) {
    expect(() => stream.emit('error', new Error('write EPIPE'))).not.toThrow()
  }
})
