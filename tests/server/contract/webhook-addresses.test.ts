import { request } from 'node:http'
import { isIP } from 'node:net'
import { expect, test } from 'vitest'
import { isPublicAddress } from '../../../src-server/webhooks/addresses.ts'
import { publicLookup } from '../../../src-server/webhooks/post.ts'
import { organization, succeeded } from '../../support/organization.ts'
import { webhookReceiver } from '../../support/webhook-receiver.ts'

const org = organization()
const receiver = webhookReceiver()

test('HOOK-16: A webhook is never sent to the local machine or its networks unless this is configured, however the address is written.', async () => {
  const { port } = new URL(receiver.url)
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '0.0.0.0', '[::ffff:127.0.0.1]']
  for (const [index, host] of hosts.entries()) {
    const { user_id } = succeeded(
      await org.member.post('/bots', {
        full_name: `Inner ${index}`,
        short_name: `inner${index}`,
        bot_type: 3,
        payload_url: `http://${host}:${port}/hook`,
      }),
    )
    succeeded(await org.other.post('/messages', { type: 'direct', to: [user_id], content: 'ping' }))
    const newest = async () => {
      const { messages } = succeeded(
        await org.member.get('/messages', {
          anchor: 'newest',
          num_before: 1,
          num_after: 0,
          apply_markdown: false,
        }),
      )
      return messages[0]?.content
    }
    await expect.poll(newest).toContain(`Inner ${index}`)
    expect(await newest()).toContain('inside the network')
  }
  expect(receiver.received).toEqual([])
})

test('HOOK-17: Private, local and reserved addresses are not public.', () => {
  for (const address of [
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '127.255.255.254',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    'no address',
  ])
    expect([address, isPublicAddress(address)]).toEqual([address, false])
  for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700:4700::1111'])
    expect([address, isPublicAddress(address)]).toEqual([address, true])
})

/** Names of somebody who decides with every question what they mean. */
function namesMeaning(...answers: readonly (readonly string[])[]) {
  let asked = 0
  const lookUp = publicLookup((_hostname, _options, callback) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? []
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    )
  })
  const ask = (all: boolean) =>
    new Promise<unknown>((done) =>
      lookUp('name.example', { all }, (error, address) => done(error === null ? address : 'refused')),
    )
  return { lookUp, ask, asked: () => asked }
}

test('HOOK-18: A host name is resolved once and all its addresses are checked: a later change of the name has no effect.', async () => {
  expect(await namesMeaning(['127.0.0.1']).ask(false)).toBe('refused')
  expect(await namesMeaning(['8.8.8.8', '10.0.0.1']).ask(false)).toBe('refused')
  expect(await namesMeaning(['8.8.8.8', '::1']).ask(true)).toBe('refused')
  expect(await namesMeaning([]).ask(false)).toBe('refused')
  const changing = namesMeaning(['8.8.8.8'], ['127.0.0.1'])
  expect([await changing.ask(false), changing.asked()]).toEqual(['8.8.8.8', 1])
  expect(await namesMeaning(['8.8.8.8'], ['127.0.0.1']).ask(true)).toEqual([
    { address: '8.8.8.8', family: 4 },
  ])
  // What a connection is made with: it asks nobody but this, and goes where it was told to.
  const { port } = new URL(receiver.url)
  const inner = namesMeaning(['127.0.0.1'])
  const call = request({ host: 'name.example', port, agent: false, lookup: inner.lookUp, method: 'POST' })
  const refusal = new Promise<Error>((done) => call.on('error', done))
  call.end()
  expect((await refusal).constructor.name).toBe('ForbiddenAddress')
  expect(receiver.received).toEqual([])
})
