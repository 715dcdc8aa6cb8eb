import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Endpoint } from '../../../src-shared/api/endpoint.ts'
import { api, type EndpointName } from '../../../src-shared/api/index.ts'
import { requestsTo } from '../../support/arbitrary-input.ts'
import { found, type Organization, type Person, type Queue } from '../../support/organization.ts'
import { credentials, listenersOf, plantSecrets, type Secrets } from '../../support/secrets.ts'

// What is not for somebody does not come to them, however they ask, whatever those who know it do meanwhile.

/** After these the one who asked is nobody any more. */
const endings: readonly EndpointName[] = [
  'regenerateApiKey',
  'deactivateOwnUser',
  'deactivateUser',
  'deactivateOrganization',
]
// The keys of the table are its names.
const names = (Object.keys(api) as EndpointName[]).filter(
  (name) => !endings.includes(name) && (api[name] as Endpoint).takesFile === undefined,
)
/** So many endpoints are asked before those who know go on. */
const turn = 30

function assertKept(secrets: Secrets, person: Person | null, text: string, where: string): void {
  const leaks = [...secrets.keptFrom(person)].filter(([word]) => text.includes(word)).map(([, what]) => what)
  expect({ to: person?.name ?? 'nobody', where, leaks }).toEqual({
    to: person?.name ?? 'nobody',
    where,
    leaks: [],
  })
}

async function assertEventsKept(
  secrets: Secrets,
  listening: readonly (readonly [Person, Queue])[],
): Promise<void> {
  for (const [person, queue] of listening)
    for (const event of await queue.events())
      assertKept(secrets, person, JSON.stringify(event), `event ${event['type']} ${event['op'] ?? ''}`)
}

/** Asks every endpoint as each of these, in turns with those who know. */
async function askEverything(
  org: Organization,
  secrets: Secrets,
  callers: readonly (Person | null)[],
  { runs, seed, goesOn }: { runs: number; seed: number; goesOn: boolean },
): Promise<void> {
  const listening: [Person, Queue][] = []
  for (const person of callers)
    if (person !== null)
      for (const queue of await listenersOf(person, person === org.guest)) {
        assertKept(secrets, person, JSON.stringify(queue.state), 'the state of a new queue')
        listening.push([person, queue])
      }
  for (const [index, name] of names.entries()) {
    const endpoint: Endpoint = api[name]
    if (index % turn === turn - 1 && goesOn) {
      await secrets.actOnSecrets()
      await assertEventsKept(secrets, listening)
    }
    await fc.assert(
      fc.asyncProperty(
        requestsTo(endpoint, secrets.place),
        fc.constantFrom(...callers),
        async (request, person) => {
          const sent = name === 'getEvents' ? [...request.fields, ['dont_block', 'true']] : request.fields
          const form = new URLSearchParams(sent.map(([field = '', value = '']) => [field, value]))
          const isGet = endpoint.method === 'GET'
          const response = await fetch(`${org.service.baseUrl}${request.path}${isGet ? `?${form}` : ''}`, {
            method: endpoint.method,
            headers: credentials(person),
            ...(isGet ? {} : { body: form }),
            redirect: 'manual',
            signal: AbortSignal.timeout(20_000),
          })
          expect(`${name} ${response.status}`).not.toMatch(/ 5\d\d$/)
          assertKept(secrets, person, await response.text(), name)
        },
      ),
      { numRuns: runs, seed, endOnFailure: true },
    )
  }
  for (const person of callers)
    for (const [method, path, fields] of secrets.questions) {
      const { body, status } = await (person ?? org.nobody)[method](path, fields)
      expect(`${path} ${status}`).not.toMatch(/ 5\d\d$/)
      assertKept(secrets, person, JSON.stringify(body), `${method} ${path} ${JSON.stringify(fields)}`)
    }
  await assertEventsKept(secrets, listening)
  for (const person of callers)
    for (const path of secrets.files) {
      const response = await fetch(new URL(path, org.service.workspace.url), { headers: credentials(person) })
      assertKept(secrets, person, await response.text(), path)
    }
}

async function within(work: (org: Organization) => Promise<void>): Promise<void> {
  const org = await found({})
  await work(org).finally(() => org.service.close())
}

test('FUZZ-02: No response, event, state or file that a guest or an unauthenticated caller receives contains anything hidden from them.', async () => {
  await within(async (org) => {
    const secrets = await plantSecrets(org, [])
    await org.whileGuestsAreLimited(() =>
      askEverything(org, secrets, [org.guest, null], { runs: 4, seed: 11_212_026, goesOn: true }),
    )
  })
}, 240_000)

test('FUZZ-03: Members, moderators, bots and new subscribers of a channel receive nothing that is hidden from them.', async () => {
  await within(async (org) => {
    const newcomer = org.join('Nora Newcomer')
    const secrets = await plantSecrets(org, [newcomer])
    const callers = [org.other, org.moderator, newcomer, org.joinBot('Otto Bot', org.other)]
    await askEverything(org, secrets, callers, { runs: 6, seed: 11_212_027, goesOn: true })
  })
}, 240_000)

test('FUZZ-04: Administrators receive nothing that users keep private.', async () => {
  await within(async (org) => {
    const secrets = await plantSecrets(org, [])
    await askEverything(org, secrets, [org.admin], { runs: 3, seed: 11_212_028, goesOn: false })
  })
}, 240_000)
