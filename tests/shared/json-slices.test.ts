import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJsonInSlices } from '../../src-shared/api/json-slices.ts'

// A long answer is read piece by piece. It must come to what JSON.parse makes of it, whatever a server sends.

const filler = 'x"\\\n}],{[:, 🪶'.repeat(3)
/** Long enough to be cut, in a list and in a table. */
const long = {
  rows: Array.from({ length: 6_000 }, (_, n) => ({ n, text: filler, inner: [[n], { a: '],' }] })),
  table: Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`key ${n} ${filler}`, [n, filler]])),
}

async function read(text: string): Promise<{ value: unknown; rests: number }> {
  let rests = 0
  const value = await parseJsonInSlices(text, async () => void rests++)
  return { value, rests }
}

test('a long object comes to the same, with many rests', async () => {
  const given = {
    first: 1,
    ...long,
    ['__proto__x']: { deep: [{}] },
    empty: {},
    none: [],
    last: 'a",b',
    word: filler.repeat(4_000),
  }
  for (const text of [JSON.stringify(given), JSON.stringify(given, null, 3)]) {
    const { value, rests } = await read(text)
    expect(value).toEqual(JSON.parse(text))
    expect(Object.keys(value as object)).toEqual(Object.keys(given))
    expect(rests).toBeGreaterThan(10)
  }
})

test('names are only names, and of two the later counts', async () => {
  const text = `{"__proto__":{"admin":true},"rows":${JSON.stringify(long.rows)},"a":1,"a":2,"constructor":3}`
  const { value } = await read(text)
  const plain: unknown = JSON.parse(text)
  expect(value).toEqual(plain)
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(Object.entries(value as object)).toEqual(Object.entries(plain as object))
})

test('other values come to the same too', async () => {
  const rows = JSON.stringify(long.rows)
  for (const text of [rows, `  ${JSON.stringify(filler.repeat(5_000))}`, `{"a":${rows}} \n`, '{}', 'null'])
    expect((await read(text)).value).toEqual(JSON.parse(text))
})

test('what is not JSON is refused, wherever it is broken', async () => {
  const text = JSON.stringify({ first: [1, 2], ...long, last: { a: 1 } })
  const at = fc.integer({ min: 0, max: text.length - 1 })
  const isSame = async (broken: string) => {
    const plain = await Promise.resolve(broken)
      .then((one): unknown => JSON.parse(one))
      .catch(() => 'refused')
    const sliced = await read(broken).then(
      ({ value }) => value,
      () => 'refused',
    )
    expect(sliced).toEqual(plain)
  }
  await fc.assert(
    fc.asyncProperty(
      at,
      fc.constantFrom('', ',', ',,', '"', '\\', '{', ']', '}', ':', ' '),
      async (n, put) => {
        await isSame(text.slice(0, n) + put + text.slice(n + 1))
      },
    ),
    { numRuns: 60 },
  )
  await fc.assert(
    fc.asyncProperty(at, (n) => isSame(text.slice(0, n))),
    { numRuns: 20 },
  )
  for (const wrong of [
    `${text},`,
    `${text}}`,
    `${text.slice(0, -1)},}`,
    `${text.slice(0, -1)}]`,
    `{,${text.slice(1)}`,
  ])
    await isSame(wrong)
})
