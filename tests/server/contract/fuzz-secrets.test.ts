import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Endpoint } from '../../../src-shared/api/endpoint.ts'
import { api, type EndpointName } from '../../../src-shared/api/index.ts'
import { requestsTo } from '../../support/arbitrary-input.ts'
import { organization, succeeded } from '../../support/organization.ts'

// What is not for somebody does not come to them, however they ask.

const org = organization()
/** After these the one who asked is nobody any more. */
const endings: readonly EndpointName[] = ['regenerateApiKey', 'deactivateOwnUser']
// The keys of the table are its names.
const names = (Object.keys(api) as EndpointName[]).filter(
  (name) => !endings.includes(name) && (api[name] as Endpoint).takesFile === undefined,
)

/** Words that stand only in what the owner and the member keep to themselves. */
const secret = 'xylographquetzal'

test('FUZZ-02: Nothing that is kept from a member, a guest or a stranger is in any answer or event that they get.', async () => {
  const { owner, member, cellar } = org
  const { db } = org.service.workspace
  const hidden = [
    await owner.send(cellar, `${secret} topic`, `${secret} in the cellar`),
    await owner.send([member], '', `${secret} between two`),
    await member.send([member], '', `${secret} to myself`),
  ]
  const draft = succeeded(
    await owner.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: `${secret} draft` }] }),
  )['ids'][0]
  const snippet = succeeded(
    await owner.post('/saved_snippets', { title: `${secret}`, content: `${secret} snippet` }),
  )['saved_snippet_id']
  succeeded(await owner.post('/users/me/alert_words', { alert_words: [`${secret}alert`] }))
  db.run('UPDATE channels SET description = ? WHERE channel_id = ?', `${secret} description`, cellar)
  const keys = db
    .all<{ api_key: string; password_hash: string | null }>('SELECT api_key, password_hash FROM users')
    .flatMap((row) => [row.api_key, row.password_hash ?? row.api_key])
  const queue = await owner.register({ fetch_event_types: [] })
  const place = {
    ids: [...hidden, draft, snippet, cellar, owner.id, member.id, 1, 2, org.plaza],
    words: ['cellar', secret, owner.email, owner.name, queue.id, `${secret} topic`, '/user_uploads/'],
  }
  const callers = [org.other, org.guest, null] as const
  const listening = [await org.other.register(), await org.guest.register({ all_public_streams: undefined })]
  for (const name of names) {
    const endpoint: Endpoint = api[name]
    await fc.assert(
      fc.asyncProperty(requestsTo(endpoint, place), fc.constantFrom(...callers), async (request, person) => {
        const sent = name === 'getEvents' ? [...request.fields, ['dont_block', 'true']] : request.fields
        const form = new URLSearchParams(sent.map(([field = '', value = '']) => [field, value]))
        const isGet = endpoint.method === 'GET'
        const response = await fetch(`${org.service.baseUrl}${request.path}${isGet ? `?${form}` : ''}`, {
          method: endpoint.method,
          headers:
            person === null
              ? {}
              : { Authorization: `Basic ${btoa(`${person.email}:${person.row.api_key}`)}` },
          ...(isGet ? {} : { body: form }),
          redirect: 'manual',
          signal: AbortSignal.timeout(20_000),
        })
        const text = await response.text()
        expect(`${name} ${response.status}`).not.toMatch(/ 5\d\d$/)
        // Somebody may be told what they said themselves.
        const said = [...form.values(), decodeURIComponent(request.path)].some((value) =>
          value.includes(secret),
        )
        if (!said) expect({ name, leaks: text.includes(secret) }).toEqual({ name, leaks: false })
        const others = keys.filter((key) => key !== person?.row.api_key)
        expect({ name, leaks: others.some((key) => text.includes(key)) }).toEqual({ name, leaks: false })
      }),
      { numRuns: 12, seed: 11_212_026 },
    )
  }
  // What others did meanwhile, as it came to those who listened.
  await owner.send(cellar, `${secret} topic`, `${secret} once more`)
  succeeded(await owner.patch(`/messages/${hidden[0]}`, { content: `${secret} edited` }))
  for (const one of listening) {
    const told = (await one.events()).filter(
      (event) => event['type'] === 'message' || event['type'] === 'update_message',
    )
    const theirs = told.filter(
      (event) => event['message']?.sender_id !== org.other.id && event['user_id'] !== org.other.id,
    )
    expect(JSON.stringify(theirs)).not.toContain(`${secret} once more`)
    expect(JSON.stringify(theirs)).not.toContain(`${secret} edited`)
  }
}, 240_000)
