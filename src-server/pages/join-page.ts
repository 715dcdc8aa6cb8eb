import type { FastifyInstance, FastifyReply } from 'fastify'
import { checkedName } from '../people/accounts.ts'
import { checkedPassword, hashPasswordAside } from '../people/passwords.ts'
import type { ApiDefaultChannelGroup } from '../../src-shared/api/default-channel-groups.ts'
import { defaultChannelGroupList } from '../channels/default-channel-groups.ts'
import { assertFreeEmail } from '../people/email-changes.ts'
import type { Form } from '../files/forms.ts'
import { invitationOf, type InvitationRow } from '../organization/invitations.ts'
import { joinBy } from '../organization/newcomers.ts'
import { escapeHtml } from '../../src-shared/markdown/html.ts'
import { pictureUrl } from '../organization/organization-pictures.ts'
import { sendPage } from './page-shell.ts'
import { roles } from '../../src-shared/roles.ts'
import type { RateLimits } from '../rate-limits.ts'
import { ServiceError } from '../service-error.ts'
import { channelById, realmValue, userById, type Workspace } from '../workspace.ts'

/**
 * The page of an invitation: a form with which a new person creates an account and joins. Everyone who has the link
 * may use it until it expires or is revoked (specification, POST /invites/multiuse). Its requests count towards the
 * API's rate limit, because each new account costs the hashing of a password.
 */
export function addJoinPage(server: FastifyInstance, workspace: Workspace, limits: RateLimits): void {
  for (const path of ['/join/:code', '/join/:code/']) {
    server.get<{ Params: { code: string } }>(path, (request, reply) => {
      limits.spend(request.ip, reply)
      const invitation = invitationOf(workspace, request.params.code)
      if (invitation === undefined) return sendGone(workspace, reply)
      return sendForm(workspace, reply, invitation, fieldsOf(null, invitation), null)
    })
    server.post<{ Params: { code: string } }>(path, async (request, reply) => {
      limits.spend(request.ip, reply)
      const asked = invitationOf(workspace, request.params.code)
      if (asked === undefined) return sendGone(workspace, reply)
      const given = fieldsOf(request.body, asked)
      const before = problemIn(workspace, given)
      if (before !== null) return sendForm(workspace, reply, asked, given, before)
      const { password, ...newcomer } = newcomerOf(given)
      const passwordHash = await hashPasswordAside(password, workspace.configuration.passwordCost)
      // Meanwhile the invitation may have ended, and somebody else may have taken the address.
      const invitation = invitationOf(workspace, request.params.code)
      if (invitation === undefined) return sendGone(workspace, reply)
      const problem = problemIn(workspace, given)
      if (problem !== null) return sendForm(workspace, reply, invitation, given, problem)
      const person = joinBy(
        workspace,
        invitation,
        { ...newcomer, passwordHash },
        chosenGroups(workspace, invitation, given),
      )
      return sendInside(workspace, reply, person.delivery_email)
    })
  }
}

type Field = 'full_name' | 'email' | 'password'
type Given = Readonly<Partial<Record<Field | `channels-${number}`, string>>>

/** What is wrong with the input, by field. */
interface Problem {
  readonly field: Field
  readonly text: string
}

/** The fields of a form in either encoding. An invitation sent to an address is only for that address. */
function fieldsOf(body: unknown, { email }: InvitationRow): Given {
  const fields: Given = Object.fromEntries(
    typeof body === 'string'
      ? new URLSearchParams(body)
      : // Nothing but `multipartForm` makes an object.
        typeof body === 'object' && body !== null
        ? (body as Form).fields
        : [],
  )
  return email === null ? fields : { ...fields, email }
}

const newcomerOf = (given: Given) => ({
  fullName: (given.full_name ?? '').trim(),
  email: (given.email ?? '').trim(),
  password: given.password ?? '',
})

/** The first problem with the account, in the order of the form. */
function problemIn(workspace: Workspace, given: Given): Problem | null {
  const { fullName, email, password } = newcomerOf(given)
  const checks: readonly (readonly [Field, () => unknown])[] = [
    ['full_name', () => checkedName(fullName)],
    ['email', () => assertFreeEmail(workspace, null, email)],
    ['password', () => checkedPassword(password)],
  ]
  for (const [field, check] of checks) {
    try {
      check()
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { field, text: error.message }
    }
  }
  return null
}

/** The groups of default channels that a new person can choose; guests may not know of them. */
const offeredGroups = ({ db }: Workspace, { role }: InvitationRow): ApiDefaultChannelGroup[] =>
  role === roles.guest ? [] : defaultChannelGroupList(db).filter(({ streams }) => streams.length > 0)

const chosenGroups = (
  workspace: Workspace,
  invitation: InvitationRow,
  given: Given,
): ApiDefaultChannelGroup[] =>
  offeredGroups(workspace, invitation).filter(({ id }) => given[`channels-${id}`] !== undefined)

const roleNames: Readonly<Record<number, string>> = {
  [roles.owner]: 'an owner',
  [roles.administrator]: 'an administrator',
  [roles.moderator]: 'a moderator',
  [roles.member]: 'a member',
  [roles.guest]: 'a guest',
}

function sendForm(
  workspace: Workspace,
  reply: FastifyReply,
  invitation: InvitationRow,
  given: Given,
  problem: Problem | null,
): FastifyReply {
  const name = realmValue(workspace.db, 'name')
  const inviter = userById(workspace.db, invitation.inviter_id)?.full_name ?? 'Somebody'
  const first = problem?.field ?? 'full_name'
  const field = (of: Field, label: string, type: string, autocomplete: string, hint: string) => `
<div class="field">
<label for="${of}">${label}</label>
<input id="${of}" name="${of}" type="${type}" autocomplete="${autocomplete}" required${of === first ? ' autofocus' : ''}${of === 'email' && invitation.email !== null ? ' readonly' : ''}
${of === 'password' ? 'minlength="6" maxlength="100"' : `value="${escapeHtml(given[of] ?? '')}"`}
${problem?.field === of ? `aria-invalid="true" aria-describedby="problem ${of}-hint"` : `aria-describedby="${of}-hint"`}>
<p class="hint" id="${of}-hint">${hint}</p>
</div>`
  const groups = offeredGroups(workspace, invitation)
  const choice = ({ id, name, description, streams }: ApiDefaultChannelGroup) => `
<label class="choice"><input type="checkbox" name="channels-${id}"${given[`channels-${id}`] === undefined ? '' : ' checked'}>
<span>${escapeHtml(name)}<span class="hint">${escapeHtml(description)}${description === '' ? '' : ' '}${streams
    .map((channelId) => `#${escapeHtml(channelById(workspace.db, channelId)?.name ?? '')}`)
    .join(', ')}</span></span></label>`
  const choices =
    groups.length === 0
      ? ''
      : `<fieldset><legend>Channels that you want to be in</legend>${groups.map(choice).join('')}</fieldset>`
  const body = `
<div class="who"><img src="${escapeHtml(pictureUrl(workspace, 'icon'))}" alt=""><p class="quiet">${escapeHtml(inviter)} invited you as
${roleNames[invitation.role] ?? 'a member'}.</p></div>
<h1>Join ${escapeHtml(name)}</h1>
${
  problem === null
    ? '<p class="quiet">Make an account, and you are in.</p>'
    : `<p role="alert" class="problem" id="problem">${escapeHtml(problem.text)} No account was made yet.${
        problem.field === 'password' ? '' : ' Please type the password again.'
      }</p>`
}
<form method="post">
${field('full_name', 'Your name', 'text', 'name', 'As others see it.')}
${field('email', 'Email address', 'email', 'username', invitation.email === null ? 'With it you sign in.' : 'The invitation went there. With it you sign in.')}
${field('password', 'Password', 'password', 'new-password', 'Six characters at least.')}
${choices}
<button>Join</button>
</form>`
  return sendPage(reply, workspace, { status: problem === null ? 200 : 400, title: 'Join', body })
}

const sendInside = (workspace: Workspace, reply: FastifyReply, email: string): FastifyReply =>
  sendPage(reply, workspace, {
    status: 200,
    title: 'Welcome',
    body: `
<div class="who"><img src="${escapeHtml(pictureUrl(workspace, 'icon'))}" alt=""><p class="quiet">${escapeHtml(realmValue(workspace.db, 'name'))}</p></div>
<h1>Welcome</h1>
<p class="quiet">Your account is ready. Open the app, add an organization, and sign in with these:</p>
<dl>
<div><dt>Organization address</dt><dd>${escapeHtml(workspace.url)}</dd></div>
<div><dt>Email address</dt><dd>${escapeHtml(email)}</dd></div>
</dl>
<p class="hint">The password is the one that you just chose.</p>`,
  })

const sendGone = (workspace: Workspace, reply: FastifyReply): FastifyReply =>
  sendPage(reply, workspace, {
    status: 404,
    title: 'Invitation',
    body: `
<h1>This invitation is over</h1>
<p class="quiet">It has expired, was taken back, or its address is not complete. Ask whoever sent it to you for a new
one. Whoever has an account already signs in with the app.</p>`,
  })
