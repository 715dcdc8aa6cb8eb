import { expect, test } from 'vitest'
import { accountId } from '../../src-shared/ids.ts'
import { connectBridge } from '../../src-shared/bridge/connect.ts'
import { serveBridge } from '../../src-shared/bridge/serve.ts'
import { portPair } from '../support/device.ts'

const turn = () => new Promise((resolve) => setTimeout(resolve))

test('a watch that fails is told of in one place, and to whoever opened it', async () => {
  const [window, host] = portPair()
  const server = {
    call: () => Promise.reject(new Error('Nobody is called.')),
    watch: () => {
      throw new Error('no such table')
    },
  }
  serveBridge(host, server, () => {})
  const all: string[] = []
  const bridge = connectBridge(window, [], (name, failure) => all.push(`${name}: ${failure.message}`))
  bridge.watch('accounts', {}, () => {})
  const own: string[] = []
  bridge.watch('sync-state', { accountId: accountId('a1') }, () => {}, {
    onFailure: (failure) => own.push(failure.message),
  })
  await turn()
  expect(all).toEqual(['accounts: no such table', 'sync-state: no such table'])
  expect(own).toEqual(['no such table'])
})
