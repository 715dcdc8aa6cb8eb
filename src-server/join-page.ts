import type { FastifyInstance, FastifyReply } from 'fastify'
import { checkedPassword } from './accounts.ts'
import { assertFreeEmail } from './email-changes.ts'
import type { Form } from './forms.ts'
import { checkedName } from './handlers/settings.ts'
import { invitationOf, joinBy, type InvitationRow, type Newcomer } from './invitations.ts'
import { escapeHtml } from './markdown/html.ts'
import { ServiceError } from './service-error.ts'
import { realmValue, userById, type Workspace } from './workspace.ts'

/**
 * The page behind an invitation: a form with which somebody new makes an account and is in. Whoever has the link
 * may use it until it expires or is revoked (specification, POST /invites/multiuse).
 */
export function addJoinPage(server: FastifyInstance, workspace: Workspace): void {
  for (const path of ['/join/:code', '/join/:code/']) {
    server.get<{ Params: { code: string } }>(path, (request, reply) => {
      const invitation = invitationOf(workspace, request.params.code)
      if (invitation === undefined) return goneBy(workspace, reply)
      return send(reply, 200, workspace, formOf(workspace, invitation, {}, null))
    })
    server.post<{ Params: { code: string } }>(path, (request, reply) => {
      const invitation = invitationOf(workspace, request.params.code)
      if (invitation === undefined) return goneBy(workspace, reply)
      const given = fieldsOf(request.body)
      try {
        const person = joinBy(workspace, invitation, checkedNewcomer(workspace, given))
        return send(reply, 200, workspace, insideOf(workspace, person.delivery_email))
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        return send(reply, error.status, workspace, formOf(workspace, invitation, given, error.message))
      }
    })
  }
}

type Given = Readonly<Record<string, string>>

/** The fields of a form however it was sent. */
function fieldsOf(body: unknown): Given {
  if (typeof body === 'string') return Object.fromEntries(new URLSearchParams(body))
  // Nothing but `multipartForm` makes an object.
  return typeof body === 'object' && body !== null ? Object.fromEntries((body as Form).fields) : {}
}

function checkedNewcomer(workspace: Workspace, given: Given): Newcomer {
  const email = (given['email'] ?? '').trim()
  const newcomer = { fullName: checkedName(given['full_name'] ?? ''), email }
  assertFreeEmail(workspace, null, email)
  return { ...newcomer, password: checkedPassword(given['password'] ?? '') }
}

function formOf(
  workspace: Workspace,
  invitation: InvitationRow,
  given: Given,
  problem: string | null,
): string {
  const inviter = userById(workspace.db, invitation.inviter_id)
  const field = (name: string, label: string, type: string, autocomplete: string, hint = '') => `
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required
      ${type === 'password' ? 'minlength="6" maxlength="100"' : `value="${escapeHtml(given[name] ?? '')}"`}
      ${hint === '' ? '' : `aria-describedby="${name}-hint"`}>
    ${hint === '' ? '' : `<p class="hint" id="${name}-hint">${hint}</p>`}`
  const name = escapeHtml(realmValue(workspace.db, 'name'))
  return `<h1>Join ${name}</h1>
  <p>${escapeHtml(inviter?.full_name ?? 'Somebody')} invited you. Make an account, and you are in.</p>
  ${problem === null ? '' : `<p role="alert" class="problem">${escapeHtml(problem)} Nothing was made yet.</p>`}
  <form method="post">
    ${field('full_name', 'Your name', 'text', 'name', 'As others see it.')}
    ${field('email', 'Email address', 'email', 'username')}
    ${field('password', 'Password', 'password', 'new-password', 'Six characters at least.')}
    <button>Join</button>
  </form>`
}

const insideOf = (workspace: Workspace, email: string): string => `<h1>Welcome</h1>
  <p>Your account is ready. Open the app and sign in:</p>
  <dl><dt>Server</dt><dd>${escapeHtml(workspace.url)}</dd><dt>Email address</dt><dd>${escapeHtml(email)}</dd></dl>`

const goneBy = (workspace: Workspace, reply: FastifyReply) =>
  send(
    reply,
    404,
    workspace,
    `<h1>This invitation is over</h1>
  <p>It has expired, was taken back, or its address is not complete. Ask whoever sent it to you for a new one.</p>`,
  )

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:10vh auto;
padding:0 1rem}label{display:block;font-weight:600;margin-top:1rem}input{font:inherit;width:100%;box-sizing:border-box;
padding:.5rem}.hint{margin:.25rem 0 0;opacity:.75;font-size:.875rem}.problem{border-left:4px solid #c0392b;
padding-left:.75rem}button{font:inherit;margin-top:1.5rem;padding:.5rem 1.5rem}dt{font-weight:600}dd{margin:0 0 .5rem}`

const send = (reply: FastifyReply, status: number, workspace: Workspace, body: string) =>
  reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    // The address is the invitation: it must not travel to other sites.
    .header('referrer-policy', 'no-referrer')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    )
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(realmValue(workspace.db, 'name'))}</title><style>${style}</style><main>${body}</main></html>`,
    )
