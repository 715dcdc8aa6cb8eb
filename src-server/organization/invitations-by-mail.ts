import { daySeconds } from '../../src-shared/durations.ts'
import { assertUsableEmail } from '../people/email-changes.ts'
import {
  createInvitation,
  linkOf,
  publishInvitations,
  type InvitationRow,
  type NewInvitation,
} from './invitations.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import { realmValue, userById, type UserRow, type Workspace } from '../workspace.ts'

/** How many addresses the organization may invite in 24 hours, so that it cannot be used to send spam. */
const mostMailsADay = 200

/** Why an address is not invited: the address, the reason, and whether its account was deactivated. */
type Objection = readonly [email: string, reason: string, isDeactivated: boolean]

/**
 * Invites every address of a list by mail. It sends nothing if an address is invalid or the day's limit would be
 * exceeded.
 * Addresses that already have an account are left out, and this is reported after the others are invited
 * (INVITATION_FAILED).
 */
export function inviteByMail(
  workspace: Workspace,
  list: string,
  invitation: Omit<NewInvitation, 'email'>,
): void {
  const { db } = workspace
  const emails = addressesIn(list)
  if (emails.length === 0) throw badRequest('You must specify at least one email address.')
  const invalid = emails.flatMap((email) => objectionTo(email, () => assertUsableEmail(db, email)))
  if (invalid.length > 0)
    throw failure(
      'Some of the addresses cannot be invited, so nobody was. Correct them and try again.',
      invalid,
    )
  const known = emails.flatMap((email) => hasAccount(workspace, email))
  const left = emails.filter((email) => !known.some(([one]) => one === email))
  if (left.length === 0) throw failure('Nobody was invited: everybody in the list has an account.', known)
  if (sentToday(workspace) + left.length > mostMailsADay) {
    throw failure(
      `Nobody was invited: ${mostMailsADay} people can be invited a day. Try again tomorrow, or with fewer.`,
      [],
      { daily_limit_reached: true },
    )
  }
  const rows = db.transaction(() =>
    left.map((email) => createInvitation(workspace, { ...invitation, email })),
  )
  publishInvitations(workspace, invitation.inviter_id)
  for (const row of rows) sendInvitation(workspace, row)
  if (known.length > 0) {
    throw failure('Some of the people in the list have an account already. All others were invited.', known, {
      sent_invitations: true,
    })
  }
}

/** Sends the link of an invitation to its address, for the first time or again. */
export function sendInvitation(workspace: Workspace, row: InvitationRow): void {
  const organization = realmValue(workspace.db, 'name')
  const inviter = userById(workspace.db, row.inviter_id)?.full_name ?? 'Somebody'
  const end = row.expires_at === null ? null : new Date(row.expires_at * 1000).toISOString()
  workspace.configuration.sendMail({
    to: row.email ?? '',
    subject: `${inviter} invites you to ${organization}`,
    text: [
      `${inviter} invites you to join ${organization}.`,
      'Follow this link to make your account:',
      linkOf(workspace, row),
      ...(end === null ? [] : [`It works once, until ${end.slice(0, 10)} at ${end.slice(11, 16)} UTC.`]),
      'If this is not for you, do nothing: there will be no account.',
    ].join('\n\n'),
  })
}

/** The addresses of a list, each once; names before addresses, as mail programs write them, are accepted. */
function addressesIn(list: string): string[] {
  const found = new Map<string, string>()
  for (const part of list.split(/[,\n]/)) {
    const email = (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim()
    if (email !== '' && !found.has(email.toLowerCase())) found.set(email.toLowerCase(), email)
  }
  return [...found.values()]
}

function objectionTo(email: string, check: () => void): Objection[] {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return [[email, error.message, false]]
  }
}

function hasAccount({ db }: Workspace, email: string): Objection[] {
  const person = db.get<UserRow>('SELECT * FROM users WHERE email = ?1 OR delivery_email = ?1', { 1: email })
  if (person === undefined) return []
  return person.is_active === 1
    ? [[email, 'Already has an account.', false]]
    : [[email, 'Account has been deactivated.', true]]
}

const sentToday = (workspace: Workspace): number =>
  workspace.db.get<{ count: number }>(
    'SELECT count(*) AS count FROM invitations WHERE email IS NOT NULL AND invited_at > ?',
    workspace.now() - daySeconds,
  )?.count ?? 0

const failure = (
  message: string,
  errors: readonly Objection[],
  more: { sent_invitations?: true; daily_limit_reached?: true } = {},
): ServiceError =>
  new ServiceError('INVITATION_FAILED', message, {
    errors,
    sent_invitations: false,
    // There are no paid seats here.
    license_limit_reached: false,
    daily_limit_reached: false,
    ...more,
  })
