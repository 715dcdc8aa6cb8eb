import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { failureOf } from '../../../src-shared/failure.ts'
import { secretsFile, type SecretCipher } from '../../../src-main/hosts/secrets-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let directory: string
let path: string
let log: string[]
beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  path = join(directory, 'secrets.json')
  log = []
})

/** A keychain; a different mark stands for another user's keychain. */
const keychain = (mark = 'k'): SecretCipher => ({
  close: (secret) => Buffer.from(`v10${mark}${secret}`).toString('base64'),
  open(sealed) {
    const text = Buffer.from(sealed, 'base64').toString()
    if (!text.startsWith(`v10${mark}`)) throw new Error('not sealed here')
    return text.slice(`v10${mark}`.length)
  },
})
const open = (seal: SecretCipher | null) => secretsFile(path, seal, (line) => log.push(line))
const refusal = async (work: Promise<unknown>) =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => failureOf(error),
  )
const noKeychain = { kind: 'device', code: 'no-keychain' }
const apiKey = 'PlainKeyOf32LettersAndDigits0123'

describe('a file that cannot be read', () => {
  test('stays as it is: every access is a failure of the device', async () => {
    mkdirSync(path)
    for (const work of [open(null).get('a'), open(null).set('a', 'x'), open(null).delete('a')])
      expect(await refusal(work)).toMatchObject({ kind: 'device' })
    expect(readdirSync(directory)).toEqual(['secrets.json'])
  })

  test.each(['{"a":"x', '[]', '{"a":1}'])(
    'because it is damaged is kept under another name: %s',
    async (text) => {
      writeFileSync(path, text)
      await open(null).set('b', 'y')
      expect(await open(null).get('b')).toBe('y')
      const [aside = ''] = readdirSync(directory).filter((name) => name.startsWith('secrets.json.damaged-'))
      expect(readFileSync(join(directory, aside), 'utf8')).toBe(text)
      expect(log.join('\n')).toContain(aside)
    },
  )
})

describe('the keychain comes and goes', () => {
  test('a sealed key without its keychain is not given out, and opens again with it', async () => {
    await open(keychain()).set('a', apiKey)
    expect(await refusal(open(null).get('a'))).toMatchObject(noKeychain)
    expect(await refusal(open(keychain('other')).get('a'))).toMatchObject(noKeychain)
    await open(null).set('b', 'plain')
    expect(await open(keychain()).get('a')).toBe(apiKey)
  })

  test('a plain key is read with a keychain, and sealed from then on', async () => {
    await open(null).set('a', apiKey)
    expect(readFileSync(path, 'utf8')).toContain(apiKey)
    expect(await open(keychain()).get('a')).toBe(apiKey)
    expect(readFileSync(path, 'utf8')).not.toContain(apiKey)
    expect(await open(keychain()).get('a')).toBe(apiKey)
  })
})

describe('a file of an earlier version, which does not say what is sealed', () => {
  const older = (secret: string) => writeFileSync(path, JSON.stringify({ a: secret }))

  test('is read with and without a keychain', async () => {
    older(apiKey)
    expect(await open(null).get('a')).toBe(apiKey)
    expect(await open(keychain()).get('a')).toBe(apiKey)
    older(keychain().close(apiKey))
    expect(await open(keychain()).get('a')).toBe(apiKey)
  })

  test('gives out no sealed key where it cannot be opened', async () => {
    older(keychain().close(apiKey))
    expect(await refusal(open(null).get('a'))).toMatchObject(noKeychain)
    expect(await refusal(open(keychain('other')).get('a'))).toMatchObject(noKeychain)
  })
})
