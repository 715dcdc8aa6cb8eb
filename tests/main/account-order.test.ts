import { afterEach, expect, test } from 'vitest'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

let services: TestService[] = []
let device: Device

afterEach(async () => {
  await device.close()
  for (const service of services.splice(0)) await service.close()
})

test('an account that is signed in to again, or opened again, keeps its place', async () => {
  services = [await startService(), await startService()]
  const people = services.map((service) => ({ service, ...service.createUser('Maren Aske') }))
  const [first, second] = people
  if (first === undefined || second === undefined) throw new Error('two services were started')
  device = await openDevice(first.service.baseUrl, first)
  const signIn = ({ service, email, apiKey }: typeof first) =>
    device.bridge.call('sign-in', {
      baseUrl: service.baseUrl,
      credentials: { kind: 'api-key', email, apiKey },
    })
  const order = async () => (await device.ask('accounts', {})).map(({ id }) => id)
  const { accountId: other } = await signIn(second)
  expect(await order()).toEqual([device.accountId, other])
  await signIn(first)
  expect(await order()).toEqual([device.accountId, other])
  await device.restart()
  await device.until('accounts', {}, (all) => all.length === 2)
  expect(await order()).toEqual([device.accountId, other])
})
