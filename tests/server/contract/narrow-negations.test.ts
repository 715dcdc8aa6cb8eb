import { beforeAll, expect, test } from 'vitest'
import { oneOfEach } from '../../support/one-of-each.ts'
import { organization, refused, succeeded, type Answer } from '../../support/organization.ts'

// Every operator and every word that it takes, and the same negated: together they are all that a person received, and
// no message is in both.

const org = organization()
const page = { anchor: 'newest', num_before: 100, num_after: 0 }
const ask = (narrow: readonly object[]): Promise<Answer> => org.member.get('/messages', { ...page, narrow })
const idsIn = async (...narrow: object[]): Promise<number[]> =>
  succeeded(await ask(narrow)).messages.map((one: { id: number }) => one.id)
let received: number[]
let made: Record<string, number>

beforeAll(async () => {
  made = await oneOfEach(org)
  received = await idsIn()
})

const narrows: readonly (readonly [operator: string, operand: () => unknown])[] = [
  ['channel', () => org.plaza],
  ['channel', () => 'plaza'],
  ['stream', () => org.cellar],
  ['channels', () => 'public'],
  ['streams', () => 'web-public'],
  ['topic', () => 'tides'],
  ['topic', () => ''],
  ['sender', () => org.other.id],
  ['sender', () => org.member.email],
  ['dm', () => [org.other.id]],
  ['dm', () => [org.other.id, org.admin.id]],
  ['dm', () => [org.member.id]],
  ['pm-with', () => org.other.email],
  ['dm-including', () => org.other.id],
  ['group-pm-with', () => org.admin.id],
  ['is', () => 'dm'],
  ['is', () => 'private'],
  ['is', () => 'unread'],
  ['is', () => 'starred'],
  ['is', () => 'mentioned'],
  ['is', () => 'alerted'],
  ['is', () => 'resolved'],
  ['is', () => 'followed'],
  ['is', () => 'muted'],
  ['in', () => 'home'],
  ['has', () => 'link'],
  ['has', () => 'image'],
  ['has', () => 'attachment'],
  ['has', () => 'reaction'],
  ['id', () => made['secret']],
  ['id', () => String(made['pair'])],
  ['search', () => 'heron'],
  ['search', () => '"low water"'],
]

test.each(narrows)(
  'NAR-40: A negated operator matches all received messages that the operator itself does not match (%s, %s).',
  async (operator, operand) => {
    const term = { operator, operand: operand() }
    const [inside, outside] = [await idsIn(term), await idsIn({ ...term, negated: true })]
    expect(inside.length).toBeGreaterThan(0)
    expect(outside.length).toBeGreaterThan(0)
    expect(outside.filter((id) => inside.includes(id))).toEqual([])
    expect([...inside, ...outside].sort((a, b) => a - b)).toEqual(received)
    expect(await idsIn({ ...term, negated: false })).toEqual(inside)
    const both = await ask([{ ...term, negated: true }, term])
    // That nothing is both a direct message and one in a channel is said before anything is looked for.
    if (operator === 'is' && (term.operand === 'dm' || term.operand === 'private'))
      refused(both, 'BAD_NARROW')
    else expect(succeeded(both).messages).toEqual([])
  },
)

test('NAR-41: Negated near and with restrict nothing, in:all excludes nothing, and the older form of terms gives the same results.', async () => {
  expect(await idsIn({ operator: 'near', operand: made['pair'], negated: true })).toEqual(received)
  expect(await idsIn({ operator: 'with', operand: made['pair'], negated: true })).toEqual(received)
  expect(await idsIn({ operator: 'in', operand: 'all' })).toEqual(received)
  // None of these can be negated.
  for (const [operator, operand] of [
    ['stream', 'plaza'],
    ['topic', 'Tides'],
    ['is', 'starred'],
    ['has', 'reaction'],
    ['search', 'heron'],
  ] as const) {
    const narrow = [[operator, operand]]
    expect(
      succeeded(await org.member.get('/messages', { ...page, narrow })).messages.map(
        (one: { id: number }) => one.id,
      ),
    ).toEqual(await idsIn({ operator, operand }))
  }
  refused(await ask([{ operator: 'is', operand: 'dm', negated: 'yes' }]))
})

test('NAR-42: Only a narrow that names a channel reaches its unreceived history, not one that excludes a channel or also filters by a flag or by followed topics.', async () => {
  const reached = async (...narrow: object[]) =>
    succeeded(await org.other.get('/messages', { ...page, narrow })).messages.map(
      (one: { id: number }) => one.id,
    )
  const lobby = { operator: 'channel', operand: org.lobby }
  expect(await reached(lobby)).toContain(made['hall'])
  expect(await reached({ operator: 'channel', operand: org.plaza, negated: true })).not.toContain(
    made['hall'],
  )
  for (const operand of ['starred', 'unread', 'mentioned', 'followed'])
    expect(await reached(lobby, { operator: 'is', operand, negated: true })).toEqual([])
  expect(await reached(lobby, { operator: 'is', operand: 'resolved', negated: true })).toContain(made['hall'])
})

test('NAR-43: Without an account, excluding web-public channels gives no access.', async () => {
  const { db } = org.service.workspace
  db.run(`INSERT OR REPLACE INTO realm VALUES ('enable_spectator_access', 'true')`)
  const asked = (negated: boolean) =>
    org.nobody.get('/messages', {
      ...page,
      narrow: [{ operator: 'channels', operand: 'web-public', negated }],
    })
  expect(succeeded(await asked(false)).messages.map((one: { id: number }) => one.id)).toEqual([made['quay']])
  refused(await asked(true), 'UNAUTHORIZED', 401)
  db.run(`INSERT OR REPLACE INTO realm VALUES ('enable_spectator_access', 'false')`)
})
