import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

// Every code with its status of HTTP: the table, the places where the service says them, and the tests that hear them.

const statusOf: Readonly<Record<string, readonly number[]>> = {
  // Also where something with an id of its own is not there (404), is not for the caller (403), is not to be had in
  // pieces (409, 415, 423), or is too large (413).
  BAD_REQUEST: [400, 403, 404, 409, 413, 415, 423],
  AUTHENTICATION_FAILED: [401],
  BAD_EVENT_QUEUE_ID: [400],
  BAD_IMAGE: [400],
  BAD_NARROW: [400],
  CANNOT_DEACTIVATE_GROUP_IN_USE: [400],
  CANNOT_DEACTIVATE_LAST_USER: [400],
  CHANNEL_ALREADY_EXISTS: [409],
  EXPECTATION_MISMATCH: [400],
  FAILED_TO_CONNECT_BOUNCER: [502],
  INTERNAL_SERVER_ERROR_ON_BOUNCER: [502],
  INVALID_PUSH_DEVICE_TOKEN: [400],
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: [400],
  INVITATION_FAILED: [400],
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: [400],
  NO_ACTIVE_PUSH_DEVICE: [400],
  PUSH_SERVICE_NOT_CONFIGURED: [400],
  RATE_LIMIT_HIT: [429],
  REACTION_ALREADY_EXISTS: [400],
  REACTION_DOES_NOT_EXIST: [400],
  REALM_DEACTIVATED: [401],
  REALM_UPLOAD_QUOTA: [400],
  REQUEST_CONFUSING_VAR: [400],
  REQUEST_VARIABLE_INVALID: [400],
  REQUEST_VARIABLE_MISSING: [400],
  STREAM_DOES_NOT_EXIST: [400],
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: [400],
  SYSTEM_GROUP_REQUIRED: [400],
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: [400],
  UNAUTHORIZED: [401],
  UNAUTHORIZED_PRINCIPAL: [400],
  USER_DEACTIVATED: [401],
}

const root = resolve(import.meta.dirname, '../../..')
const filesBelow = (folder: string): { path: string; text: string }[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ path: name, text: readFileSync(join(root, folder, name), 'utf8') }))

/** What is made with `new ServiceError`: its code, and its status where it is not the usual one. */
function refusals(): { code: string; status: number }[] {
  const found: { code: string; status: number }[] = []
  const look = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'ServiceError') {
      const [code, , , status] = node.arguments ?? []
      const codes = code === undefined ? [] : literals(code)
      for (const one of codes) found.push({ code: one, status: Number(status?.getText() ?? 400) })
    }
    node.forEachChild(look)
  }
  for (const { path, text } of filesBelow('src-server'))
    look(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  return found
}

/** The texts that an expression may be: itself, or one of two. */
function literals(node: ts.Expression): string[] {
  if (ts.isStringLiteral(node)) return [node.text]
  return ts.isConditionalExpression(node) ? [...literals(node.whenTrue), ...literals(node.whenFalse)] : []
}

test('ERROR-03: Every code that the service uses is in the table, with exactly the statuses it is returned with.', () => {
  const told = refusals()
  expect(told.length).toBeGreaterThan(40)
  const unknown = told.filter(({ code, status }) => statusOf[code]?.includes(status) !== true)
  expect(unknown).toEqual([])
  const never = Object.keys(statusOf).filter(
    // These two are decided before the refusal is made.
    (code) => !told.some((one) => one.code === code) && !code.startsWith('REQUEST_VARIABLE'),
  )
  expect(never).toEqual([])
})

test('ERROR-04: Every code in the table is covered by a test that checks its status.', () => {
  const tests = filesBelow('tests/server/contract')
    .filter(({ path }) => path !== 'error-codes.test.ts')
    .map(({ text }) => text.replace(/\s+/g, ' '))
    .join('\n')
  const unheard = Object.entries(statusOf).flatMap(([code, [status = 400]]) => {
    const isUsual = status === 400
    // `refused` asks for 400 where nothing else is said.
    const asked = [`'${code}', ${status}`, `code: '${code}'`, ...(isUsual ? [`'${code}'`] : [])]
    return asked.some((one) => tests.includes(one)) ? [] : [`${code} ${status}`]
  })
  expect(unheard).toEqual([])
})
